#pragma once

#include <array>
#include <string>
#include <string_view>

#include "catalog/connector_kind.h"

namespace coffer::core {

/// What kind of place a path leads to.
class LocationKind {
 public:
  static const LocationKind own;
  static const LocationKind shared;
  static const LocationKind scoped;

  constexpr LocationKind() = default;
  /// A connector.
  constexpr LocationKind(catalog::ConnectorKind kind) : word_(catalog::to_string(kind)) {}
  constexpr bool operator==(const LocationKind&) const = default;

  /// The word in a Location's `kind`.
  friend constexpr std::string_view to_string(LocationKind kind) { return kind.word_; }

 private:
  constexpr explicit LocationKind(std::string_view word) : word_(word) {}

  std::string_view word_ = "own";
};

inline constexpr LocationKind LocationKind::own{"own"};
inline constexpr LocationKind LocationKind::shared{"shared"};
inline constexpr LocationKind LocationKind::scoped{"scoped"};

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
