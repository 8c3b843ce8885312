#pragma once

#include <vector>

#include "async/task.h"
#include "catalog/catalog.h"
#include "core/namespace/mounts.h"
#include "core/namespace/namespace.h"
#include "core/tasks/background.h"

namespace coffer::core {

/// Removes incomplete items, with names made by storage::partial_name, that no server works on any
/// more: an ended task of this account recorded them, or their names show that an ended run of this
/// catalog made them. All others stay, however old. Stops early when the background ends.
Task<void> sweep_met(catalog::Tasks& tasks, const Background& background, AccountId account,
                     std::vector<ResolvedPath> items);

/// Removes the incomplete items of all accounts' ended tasks. Items that cannot be removed, for
/// example since a server does not answer, stay recorded and are logged.
Task<void> sweep_orphans(catalog::Catalog& catalog, HomeDirectories& homes, Mounts& mounts);

}  // namespace coffer::core
