#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "api/dav/dead_properties.h"
#include "api/dav/xml.h"
#include "base/error.h"
#include "core/uploads/upload_reception.h"
#include "http/message.h"

// The checksums of contents that ownCloud's clients, and rclone for such servers, send with a PUT
// (`OC-Checksum`) and ask for (`oc:checksums`).
namespace coffer::api::dav {

inline constexpr std::string_view kOwnCloudNamespace = "http://owncloud.org/ns";
inline constexpr std::string_view kChecksums = "checksums";

struct Checksum {
  core::DigestKind kind = core::DigestKind::sha1;
  std::string hex;  ///< In lower case.

  /// Returns it as `SHA1:2fd4...`.
  std::string str() const;
};

/// Returns the checksum that a request brings: `SHA1:` or `SHA256:` and hexadecimal digits. nullopt
/// for none and for other algorithms, `invalid` if the digits are wrong.
Result<std::optional<Checksum>> checksum_in(const http::Request& request);

/// Returns what is stored with a file that has the checksum and the ETag.
DeadProperty stored_checksum(const Checksum& checksum, std::string_view etag);
/// Returns the checksum's text if one is stored for a file with this ETag; nullopt if there is
/// none, or the content was changed since.
std::optional<std::string> known_checksum(const DeadProperties& stored, std::string_view etag);

bool is_checksums(const XmlName& name);

}  // namespace coffer::api::dav
