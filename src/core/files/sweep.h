#pragma once

#include <vector>

#include "async/task.h"
#include "catalog/catalog.h"
#include "core/namespace/mounts.h"
#include "core/namespace/namespace.h"
#include "core/tasks/background.h"

namespace coffer::core {

/// Removes the abandoned items among `items`; the others stay, however old. Stops early when the
/// background ends. An abandoned item has a partial name (storage::partial_name), and one of these
/// holds:
/// - An ended task of this account has recorded the item.
/// - The tag in the name belongs to an ended run of a server with this catalog.
Task<void> sweep_met(catalog::Tasks& tasks, const Background& background, AccountId account,
                     std::vector<ResolvedPath> items);

/// Removes the incomplete items that the ended tasks of all accounts have recorded. If a removal
/// fails, for example because a server does not answer, logs that, and the item stays recorded.
Task<void> sweep_orphans(catalog::Catalog& catalog, HomeDirectories& homes, Mounts& mounts);

}  // namespace coffer::core
