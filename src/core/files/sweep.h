#pragma once

#include <vector>

#include "async/task.h"
#include "catalog/catalog.h"
#include "core/namespace/mounts.h"
#include "core/namespace/namespace.h"
#include "core/tasks/background.h"

namespace coffer::core {

/// Removes the abandoned items among `items`. The others stay, however old they are. Stops early
/// when the background ends. An abandoned item has a partial name (storage::partial_name), and at
/// least one of these conditions holds:
/// - An ended task of this account has recorded the item in the catalog.
/// - The tag in the item's name is the tag of an ended server process that used this catalog.
Task<void> sweep_met(catalog::Tasks& tasks, const Background& background, AccountId account,
                     std::vector<ResolvedPath> items);

/// Removes the incomplete items that ended tasks of all accounts have recorded in the catalog. If a
/// removal fails, for example because a remote server does not answer, logs the failure and keeps
/// the record of the item.
Task<void> sweep_orphans(catalog::Catalog& catalog, HomeDirectories& homes, Mounts& mounts);

}  // namespace coffer::core
