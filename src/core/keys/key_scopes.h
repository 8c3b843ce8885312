#pragma once

#include <optional>
#include <string>
#include <vector>

#include "async/task.h"
#include "base/error.h"
#include "base/path.h"
#include "core/namespace/mounts.h"
#include "core/namespace/namespace.h"

// Scopes are paths from an account's root without links, as keys are limited to them. Shares may
// hold the same folders of this machine, so that one folder has several scopes.

namespace coffer::core {

/// The scope of a place, which need not exist. Fails as storage::Backend::canonical does.
Task<Result<Path>> scope_of(const ResolvedPath& place);

/// The path on this machine that a scope leads to; empty if it is in none of the shares.
std::string disk_path(const std::vector<ShareFolder>& shares, const Path& scope);

/// True if `place` is `folder` or lies in it, on this machine. False if one of them is in none of
/// the shares.
bool lies_in(const std::vector<ShareFolder>& shares, const Path& place, const Path& folder);

/// The shares that hold some of the same folders as the share of `scope`, without that one. None
/// if `scope` is in no share.
std::vector<Path> overlapping_shares(const std::vector<ShareFolder>& shares, const Path& scope);

/// A change of a folder's name or place, or its deletion, as one account or share sees it.
struct ChangeView {
  Path from;
  std::optional<Path> to;  ///< Absent: the folder is deleted.
  Path below;  ///< From the changed folder to `from`, if a share's own folder lies inside it.
};

/// The change of the folder `from` as the other shares see it: those that hold it, and those whose
/// own folder lies in it. A folder that leaves such a share goes to `to` as it was given.
std::vector<ChangeView> views_of_other_shares(const std::vector<ShareFolder>& shares,
                                              const Path& from, const std::optional<Path>& to);

}  // namespace coffer::core
