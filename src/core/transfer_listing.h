#pragma once

#include <vector>

#include "async/task.h"
#include "core/transfer_run.h"

namespace coffer::core {

/// What a transfer takes of a folder: all but links and what is not complete yet. `invalid` if
/// there is a name that is no single component of a path: nothing is copied under another name.
Task<Result<std::vector<storage::Entry>>> list_for_transfer(storage::Backend& backend,
                                                            const Path& folder);

/// The path of an item that list_for_transfer returned.
Path item_path(const Path& folder, const storage::Entry& entry);

}  // namespace coffer::core
