#pragma once

#include <vector>

#include "async/task.h"
#include "catalog/catalog.h"
#include "core/homes.h"
#include "core/mounts.h"
#include "core/space.h"

namespace coffer::core {

/// Removes, of incomplete items that a listing met, those that nobody can be at work on: a task of
/// this account that ended noted them, or they are very old. Each has a name that
/// storage::partial_name made; `space` keeps their backends alive.
Task<void> sweep_met(catalog::Tasks& tasks, AccountId account, Space space,
                     std::vector<Place> items);

/// Removes what tasks that ended left at their destinations, of all accounts. What cannot be
/// removed, for a server that does not answer maybe, stays noted for another time, and the log
/// tells.
Task<void> sweep_left_overs(catalog::Catalog& catalog, Homes& homes, Mounts& mounts);

}  // namespace coffer::core
