#pragma once

#include <cstdint>
#include <string>

#include "async/task.h"
#include "base/error.h"
#include "base/id.h"
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

/// Puts a path without links in the place of the place's own, where it is on this machine's disks:
/// what then happens to the links does not concern it. `not_found` if its folder is missing.
Task<Result<void>> follow_links(ResolvedPath& place);

/// A text for a place without links, one whatever share leads there: a server's place has its path.
/// What lies in a folder has the folder's text, `/` and more. Waits for no other share's disk.
/// Fails where the catalog does. Bind mounts are not recognised.
Task<Result<std::string>> place_text(Mounts& mounts, AccountId account, const ResolvedPath& place);

/// Fails where the catalog does. Bind mounts are not recognised.
Task<Result<Placement>> placement_of(Mounts& mounts, const ResolvedPath& item, bool is_folder,
                                     const ResolvedPath& to);

}  // namespace coffer::core
