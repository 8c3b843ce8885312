#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/dav/mount_names.h"
#include "api/services.h"
#include "async/task.h"
#include "base/error.h"
#include "base/path.h"
#include "core/identity/basic_sessions.h"
#include "core/namespace/principal.h"
#include "http/message.h"

namespace coffer::api::dav {

/// The address of the tree, below the base path.
inline constexpr std::string_view kTop = "/dav/";

/// How WebDAV is served.
struct Options {
  bool takes_mac_files = true;  ///< False: files that macOS makes for itself are refused.
  /// Takes the passwords of accounts; null: keys alone are taken.
  core::BasicSessions* passwords = nullptr;
};

/// An authenticated request for an item of the tree. Valid while its handler runs.
struct Call {
  Services& services;
  const http::Request& request;
  core::Principal principal;
  Path path;                  ///< The item that the address names, from the principal's root.
  bool names_folder = false;  ///< The address ends with a slash.
  Options options = {};
};

/// Returns the caller: the account whose name and key are the user and the password of Basic
/// authentication (RFC 7617), or its own password with Options::passwords; or the owner of the key
/// in `X-API-Key`. `forbidden` if the request came neither by HTTPS nor from this machine, where
/// others could read the key; `unauthenticated` if there is no key or it is not valid.
Task<Result<core::Principal>> authenticate(Services& services, http::Request& request,
                                           Options options);

/// `forbidden` if a new item of this name is refused (see Options::takes_mac_files).
Result<void> check_new_name(const Call& call, const Path& item);

/// Returns the path that an address names below kTop, `rest` being what follows it. Each component
/// is percent-decoded once. The name of a mount stands for its prefix, unless an own item of the
/// root has that name. `invalid` if a component holds an encoded slash or is no UTF-8, `forbidden`
/// if one is `..`.
Task<Result<Path>> path_in(Services& services, const core::Principal& principal,
                           std::string_view rest);

/// Returns the path that the header `Destination` names (RFC 4918, section 10.3). `refused` if it
/// is another server's or not in this tree: its host must be that of the request, or of the
/// setting public_url. The scheme does not count, since a proxy may speak another one.
Task<Result<Path>> destination_of(const Call& call);
/// Returns what follows kTop in an address of the tree; fails as `destination_of` for others.
Result<std::string> rest_of_address(const Services& services, std::string_view address,
                                    const http::Request& request);

/// Returns the names of the mounts in the root; none for a principal limited to a folder.
Task<Result<MountNames>> mount_names(Services& services, const core::Principal& principal);

/// The first component of the address of a mount: its name, or its prefix if it has none or an own
/// item of the root has the name.
Task<std::string> shown_name(Services& services, const core::Principal& principal,
                             const MountNames& names, const core::Mount& mount);

/// Returns the path of the call as addresses show it, with the mount's name.
Task<std::string> shown_path(const Call& call);

/// Returns the address of an item, from the root of the server: percent-encoded, with the base
/// path, and with a slash at the end for a folder. `shown` is the path with the mount's name.
std::string href_of(std::string_view base_path, std::string_view shown, bool is_folder);

/// The value of the header `Depth` (RFC 4918, section 10.2).
enum class Depth : std::uint8_t { zero, one, infinity };
/// Returns the header's value; infinity if it is absent, `invalid` if it has another value.
Result<Depth> depth_of(const http::Request& request);

}  // namespace coffer::api::dav
