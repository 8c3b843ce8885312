#pragma once

#include <vector>

#include "async/task.h"
#include "catalog/catalog.h"
#include "core/namespace/mounts.h"
#include "core/namespace/namespace.h"
#include "core/tasks/background.h"

namespace coffer::core {

/// Removes the abandoned items among `items`, and keeps the others, whatever their age. Stops early
/// when the server shuts down (Background::is_ending). An item is abandoned if it has a partial
/// name (storage::partial_name) and at least one of these conditions holds:
/// - A task of this account has recorded the item in the catalog, and the task has ended.
/// - The name contains the tag (partial_tag) of an ended Coffer process that used this catalog.
Task<void> sweep_met(catalog::Tasks& tasks, const Background& background, AccountId account,
                     std::vector<ResolvedPath> items);

/// Removes the incomplete items that ended tasks of all accounts have recorded in the catalog. If a
/// removal fails, for example because a remote server does not answer, logs the failure and keeps
/// the item's record, so that a later call tries again.
Task<void> sweep_orphans(catalog::Catalog& catalog, HomeDirectories& homes, Mounts& mounts);

}  // namespace coffer::core
