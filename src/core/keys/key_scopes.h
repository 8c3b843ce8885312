#pragma once

#include <optional>
#include <string>
#include <vector>

#include "async/task.h"
#include "base/error.h"
#include "base/path.h"
#include "core/namespace/mounts.h"
#include "core/namespace/namespace.h"
#include "core/namespace/place_text.h"

// A scope is the path of the folder that a key is limited to. The path is from the account's root,
// with symbolic links resolved. Shares may overlap on this machine's disks. A folder that is in
// several shares has a scope in each of them.

namespace coffer::core {

/// Returns the path of `place` as a scope: from the account's root, with symbolic links resolved.
/// The item need not exist. Fails if storage::Backend::canonical fails.
Task<Result<Path>> scope_of(const ResolvedPath& place);
/// The same, but of a folder whose own name is a symbolic link returns the path that it leads to.
Task<Result<Path>> whole_scope_of(const ResolvedPath& item, bool is_folder);
/// The same for a new key or link. `invalid` if the item is a symbolic link to the account's root.
Task<Result<Path>> limited_scope_of(const ResolvedPath& item, bool is_folder);

/// Returns true if `place` is the same folder as `folder`, or lies in it. Both are scopes.
/// Compares the paths on this machine, because one folder can have several scopes. Returns false if
/// one of the scopes is in none of `shares`.
bool lies_in(const std::vector<ShareFolder>& shares, const Path& place, const Path& folder);

/// Returns the other shares that overlap the share of `scope`; none if `scope` is in no share.
std::vector<Path> overlapping_shares(const std::vector<ShareFolder>& shares, const Path& scope);

/// A folder's rename, move or deletion, with the folder's paths as one share shows them, or as one
/// account's own tree does. If the folder is in overlapping shares, each share has its own view; so
/// has each item that an account shares and that the folder is in.
struct ChangeView {
  AccountId account;  ///< The account whose paths these are; in a share, the one that changes it.
  Path from;
  std::optional<Path> to;  ///< Absent for a deletion.
  /// The path from the changed folder down to the share's top folder, if the top folder lies in the
  /// changed folder; `from` is then the path of the share itself. Otherwise empty.
  Path below;
};

/// Returns a view of the change for each other share that contains the folder `from`, or whose top
/// folder lies in it. If the share of a view contains the new place, ChangeView::to is a path in
/// this share. Otherwise ChangeView::to is `to` followed by ChangeView::below.
std::vector<ChangeView> views_of_other_shares(const std::vector<ShareFolder>& shares,
                                              AccountId account, const Path& from,
                                              const std::optional<Path>& to);

/// Returns the path of an item of an account's own files in what the account shares; nullopt if it
/// is not in there.
std::optional<Path> path_in_given(const catalog::PersonShare& share, const Path& item);
/// Returns the views of a change in an account's own files that those have whom the account shares
/// them with, without those whose paths stay the same. `account` makes the change. The new place of
/// the item `from` is the path `tree_to` in the same files, or else `to`, as `account` sees it;
/// neither is given for a deletion.
std::vector<ChangeView> views_of_receivers(const std::vector<catalog::PersonShare>& given,
                                           AccountId account, const Path& from,
                                           const std::optional<Path>& tree_to,
                                           const std::optional<Path>& to);

}  // namespace coffer::core
