#pragma once

#include <cstdint>

#include "async/task.h"
#include "base/error.h"
#include "core/namespace/mounts.h"
#include "core/namespace/namespace.h"

namespace coffer::core {

/// How the new place of an item lies to the item itself on this machine's disks, whatever shares
/// and links lead to the two.
enum class Placement : std::uint8_t {
  apart,   ///< Also where either is on a server, or cannot be looked at.
  same,    ///< The item is there already.
  within,  ///< The item is a folder, and its new place lies in it.
};

/// Fails where the catalog does. Bind mounts are not recognised.
Task<Result<Placement>> placement_of(Mounts& mounts, const ResolvedPath& item, bool is_folder,
                                     const ResolvedPath& to);

}  // namespace coffer::core
