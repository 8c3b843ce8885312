#pragma once

#include <optional>
#include <string>
#include <vector>

#include "async/task.h"
#include "base/error.h"
#include "base/path.h"
#include "core/namespace/mounts.h"
#include "core/namespace/namespace.h"

// A scope is the folder that a key is limited to: its path from the account's root, without
// symbolic links. Shares may overlap on this machine's disks, so that one folder has several
// scopes.

namespace coffer::core {

/// Returns the scope of a resolved path, whose item need not exist. Fails if the path has no
/// canonical path (see storage::Backend::canonical).
Task<Result<Path>> scope_of(const ResolvedPath& place);

/// Returns the path of a scope's folder on this machine; empty if the scope is in no share.
std::string disk_path(const std::vector<ShareFolder>& shares, const Path& scope);

/// Returns true if the scope `place` is the scope `folder` or lies in it, by their paths on this
/// machine. Returns false if one of them is in none of the shares.
bool lies_in(const std::vector<ShareFolder>& shares, const Path& place, const Path& folder);

/// Returns the other shares that overlap the share of `scope`; none if `scope` is in no share.
std::vector<Path> overlapping_shares(const std::vector<ShareFolder>& shares, const Path& scope);

/// The rename, move or deletion of a folder, as one account or share sees it.
struct ChangeView {
  Path from;
  std::optional<Path> to;  ///< Absent for a deletion.
  /// If a share's own folder lies inside the changed folder, `from` is the share, and `below` is
  /// the path from the changed folder to it. Empty otherwise.
  Path below;
};

/// Returns the change of the folder `from` as other shares see it: the shares that contain the
/// folder, and those whose own folder lies in it. If the new path is outside a share, the share's
/// view keeps the path of `to`.
std::vector<ChangeView> views_of_other_shares(const std::vector<ShareFolder>& shares,
                                              const Path& from, const std::optional<Path>& to);

}  // namespace coffer::core
