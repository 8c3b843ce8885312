#pragma once

#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

#include "core/namespace/mounts.h"

namespace coffer::api::dav {

/// The names that an account's mounts have in addresses: their own, and for what another account
/// shares `NAME (owner)`, which no third account can take (ADR 69). Where a mount of the first kind
/// has such a name, it keeps it. A mount whose name another one of its kind has, or that can be no
/// component of a path, has its prefix alone.
class MountNames {
 public:
  explicit MountNames(std::span<const core::Mount> mounts);

  /// Returns the prefix of the mount with this name; empty if there is none.
  std::string_view prefix_of(const std::string& name) const;
  /// Returns the mount's name, or its prefix if it has none.
  std::string of(const core::Mount& mount) const;

 private:
  void add(const core::Mount& mount);

  struct Holder {
    std::string prefix;  ///< Empty if several mounts claim the name.
    bool is_given = false;
  };
  std::unordered_map<std::string, Holder> holders_;
};

}  // namespace coffer::api::dav
