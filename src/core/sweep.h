#pragma once

#include <vector>

#include "async/task.h"
#include "catalog/catalog.h"
#include "core/homes.h"
#include "core/mounts.h"
#include "core/space.h"

namespace coffer::core {

/// Removes what is incomplete and abandoned: these places, each with a name that
/// storage::partial_name made, of which `space` keeps the backends alive. What cannot be removed,
/// for a server that does not answer maybe, is told in the log.
Task<void> sweep(Space space, std::vector<Place> places);

/// Finds and sweeps what interrupted tasks left at their destinations. The tasks are the catalog's
/// of an earlier run, whose files were counted since: nothing of this run may be at work on them.
Task<void> sweep_left_overs(catalog::Catalog& catalog, Homes& homes, Mounts& mounts,
                            std::vector<catalog::TaskRecord> interrupted);

}  // namespace coffer::core
