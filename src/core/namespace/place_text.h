#pragma once

#include <string>
#include <vector>

#include "async/task.h"
#include "base/error.h"
#include "base/id.h"
#include "base/path.h"
#include "core/namespace/mounts.h"
#include "core/namespace/namespace.h"

namespace coffer::core {

/// Resolves the symbolic links in a path, so that later changes of these links do not affect it.
/// Does not change a path on a remote server. `not_found` if the path's parent folder is missing.
Task<Result<void>> follow_links(ResolvedPath& place);

/// Returns a text that identifies an item, for TargetClaims. The path of `place` must not contain
/// symbolic links (see follow_links). For an item on a remote server the text is the path. An item
/// in several shares has the same text in each of them, except if a share reaches it through a bind
/// mount. The location of a file that a person shares has the text of the file. The text of an item
/// in a folder begins with the text of the folder and `/`. Does not access the disks of other
/// shares. Fails if the catalog fails.
Task<Result<std::string>> place_text(Mounts& mounts, AccountId account, const ResolvedPath& place);

/// The share that a scope (see key_scopes.h) is in; null if it is in none.
const ShareFolder* share_of(const std::vector<ShareFolder>& shares, const Path& scope);
/// Returns the path that a scope's folder has on this machine; empty if it is in none of `shares`.
std::string disk_path(const std::vector<ShareFolder>& shares, const Path& scope);

}  // namespace coffer::core
