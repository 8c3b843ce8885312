#pragma once

#include <optional>
#include <string>
#include <vector>

#include "async/task.h"
#include "base/error.h"
#include "base/path.h"
#include "core/namespace/mounts.h"
#include "core/namespace/namespace.h"

// A scope is the path of the folder that a key is limited to. The path is from the account's root,
// with symbolic links resolved. Shares may overlap on this machine's disks. One folder then has
// several scopes.

namespace coffer::core {

/// Returns the scope for a resolved path. The item need not exist. Fails if
/// storage::Backend::canonical fails.
Task<Result<Path>> scope_of(const ResolvedPath& place);

/// Returns the path of a scope's folder on this machine; empty if the scope is in no share.
std::string disk_path(const std::vector<ShareFolder>& shares, const Path& scope);

/// Returns true if the folder of the scope `place` is the folder of the scope `folder` or lies in
/// it. Compares the paths on this machine. Returns false if one of the scopes is in none of the
/// shares.
bool lies_in(const std::vector<ShareFolder>& shares, const Path& place, const Path& folder);

/// Returns the other shares that overlap the share of `scope`; none if `scope` is in no share.
std::vector<Path> overlapping_shares(const std::vector<ShareFolder>& shares, const Path& scope);

/// The rename, move or deletion of a folder, with the paths that the folder has for one account or
/// in one share.
struct ChangeView {
  Path from;
  std::optional<Path> to;  ///< Absent for a deletion.
  /// If the share's top folder lies inside the changed folder: the path from the changed folder to
  /// the share's top folder. `from` is then the share. Otherwise empty.
  Path below;
};

/// Returns the views that other shares have of the change of `from`. These are the shares that
/// contain the folder, and those whose top folder lies in it. ChangeView::to is a path in the
/// view's share if the new place is in this share. Otherwise it is `to` followed by `below`.
std::vector<ChangeView> views_of_other_shares(const std::vector<ShareFolder>& shares,
                                              const Path& from, const std::optional<Path>& to);

}  // namespace coffer::core
