#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "core/uploads/resumable_uploads.h"
#include "http/message.h"

/// The headers of tus 1.0.0, a protocol for resumable uploads (https://tus.io). All functions here
/// return `invalid` if a header is malformed.
namespace coffer::api::v2 {

inline constexpr std::string_view kTusVersion = "1.0.0";
inline constexpr std::string_view kTusExtensions =
    "creation,creation-with-upload,checksum,expiration,termination";
inline constexpr std::string_view kTusChecksums = "sha1,sha256";
inline constexpr std::string_view kTusMediaType = "application/offset+octet-stream";

inline constexpr std::size_t kLongestMetadataBytes = 8 * 1024;
/// Of an Idempotency-Key. A shorter one might be drawn twice.
inline constexpr std::size_t kShortestIdempotencyKey = 16;
inline constexpr std::size_t kLongestIdempotencyKey = 128;
inline constexpr std::size_t kMostMetadata = 32;

/// The names in `Upload-Metadata` with their decoded values, in the order of the header.
using TusMetadata = std::vector<std::pair<std::string, std::string>>;

/// Parses the value of `Upload-Metadata`: at most 32 pairs, at most 8 KiB, and no name twice.
Result<TusMetadata> parse_upload_metadata(std::string_view header);

/// Parses the value of `Upload-Checksum`: `sha1` or `sha256`, a space, and the digest in Base64.
Result<core::WantedChecksum> parse_upload_checksum(std::string_view header);

/// Parses `text`, the value of the header `name`. `invalid` if `text` is nullopt or not a number.
Result<std::uint64_t> parse_byte_count(std::string_view name, std::optional<std::string_view> text);

/// Returns the upload that a request creates, as its headers describe it. Errors:
/// - `invalid` if a header is missing, malformed, or of a tus extension that is not supported;
/// - `forbidden` if the folder's path contains `..`;
/// - `over_quota` if the length exceeds ResumableUploads::kLongestBytes.
Result<core::NewUpload> wanted_upload(const http::Request& request);

/// Returns the parsed `Upload-Checksum` of the request; nullopt without this header.
Result<std::optional<core::WantedChecksum>> wanted_checksum(const http::Request& request);

}  // namespace coffer::api::v2
