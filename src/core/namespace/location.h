#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace coffer::core {

/// What kind of place a path leads to.
enum class LocationKind : std::uint8_t { own, shared, ftp, sftp, drive, scoped };

/// The word in a Location's `kind`.
std::string_view to_string(LocationKind kind);

/// One of the places that a principal can reach.
struct Location {
  LocationKind kind = LocationKind::own;
  std::string name;
  std::string path;    ///< The virtual prefix: empty for own files, `__adm_<id>/` for a share.
  std::string target;  ///< Where it points, without a secret or a path of this server.
  bool read_only = false;
};

/// True for the first component of a mount's path: `__adm_…` or `__conn_…`.
bool is_mount_name(std::string_view component);

}  // namespace coffer::core
