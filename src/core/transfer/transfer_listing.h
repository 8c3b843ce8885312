#pragma once

#include <vector>

#include "async/task.h"
#include "core/transfer/transfer_run.h"

namespace coffer::core {

/// What a transfer takes of a folder of its source: all but links and hidden names. `invalid`
///
/// - if there is a name that is no single component of a path: nothing is copied under another
/// name;
/// - if two items have one name: the second would take the first one's place;
/// - for a move, if the folder holds what cannot be taken along, since that would be deleted;
/// - if the tree is being collected in this very folder, which the destination then lies in.
Task<Result<std::vector<storage::Entry>>> list_for_transfer(const TransferRun& run,
                                                            storage::Backend& backend,
                                                            const Path& folder);

/// The path of an item that list_for_transfer returned.
Path item_path(const Path& folder, const storage::Entry& entry);

}  // namespace coffer::core
