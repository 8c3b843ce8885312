#pragma once

#include <vector>

#include "async/task.h"
#include "catalog/catalog.h"
#include "core/namespace/mounts.h"
#include "core/namespace/namespace.h"
#include "core/tasks/background.h"

namespace coffer::core {

/// Removes, of incomplete items that a listing met, those that no server can be at work on: a task
/// of this account that ended noted them, or a run of this catalog that ended made them, as their
/// names tell. All others stay, however old. Each has a name that storage::partial_name made; `ns`
/// keeps their backends alive. Ends early when the background does.
Task<void> sweep_met(catalog::Tasks& tasks, const Background& background, AccountId account,
                     Namespace ns, std::vector<ResolvedPath> items);

/// Removes what tasks that ended left at their destinations, of all accounts. What cannot be
/// removed, for a server that does not answer maybe, stays noted for another time, and the log
/// tells.
Task<void> sweep_orphans(catalog::Catalog& catalog, HomeDirectories& homes, Mounts& mounts);

}  // namespace coffer::core
