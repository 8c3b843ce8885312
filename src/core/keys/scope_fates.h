#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "async/task.h"
#include "base/error.h"
#include "base/path.h"
#include "catalog/scope_changes.h"
#include "core/namespace/mounts.h"
#include "core/namespace/namespace.h"
#include "storage/entry.h"

namespace coffer::core {

/// What tells an item from another that takes its name: its inode, and when it was made, since an
/// inode is given out again (without that where the file system keeps no time of birth). Empty
/// where the backend has no inodes. Valid from a change to the next start, not longer: a restored
/// copy has another.
std::string identity_of(const storage::Entry& entry);

/// The scopes that keys in transit get by what is there now, by the scopes that they have: the
/// folder still stands where it was, or where it was to go, or nowhere (nothing: such keys are
/// revoked, also where it cannot be known). Fails where a place cannot be looked at. Shares are
/// looked at also where the account sees them no more.
using ScopeFates = std::map<std::string, std::optional<Path>, std::less<>>;
Task<Result<ScopeFates>> find_fates(const Namespace& ns, const Principal& principal,
                                    const catalog::ScopeChange& change,
                                    const std::vector<Path>& scopes);

}  // namespace coffer::core
