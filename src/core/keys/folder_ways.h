#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/path.h"
#include "core/namespace/mounts.h"

namespace coffer::core {

/// A change of a folder's name or place, or its deletion, as it is seen in one share. Paths are
/// scopes: from an account's root.
struct FolderWay {
  Path from;
  std::optional<Path> to;  ///< Absent: it is deleted.
  Path below;  ///< From the changed folder to `from`, where a share's own folder lies in there.
};

/// The shares that hold some of the same folders as the share of `scope`, without that one. None
/// where `scope` is in no share.
std::vector<Path> overlapping_tops(const std::vector<ShareFolder>& shares, const Path& scope);

/// Where a scope leads on this machine; empty if it is in none of the shares.
std::string disk_path(const std::vector<ShareFolder>& shares, const Path& scope);

/// True if `place` is `folder` or lies in it, on this machine. False where one of them is in none
/// of the shares.
bool lies_in(const std::vector<ShareFolder>& shares, const Path& place, const Path& folder);

/// The change of the folder `from` as the other shares see it: those that hold it, and those whose
/// own folder lies in it. Where `to` leaves such a share, it is as it was given, with what is
/// below.
std::vector<FolderWay> other_ways(const std::vector<ShareFolder>& shares, const Path& from,
                                  const std::optional<Path>& to);

}  // namespace coffer::core
