#pragma once

#include "backends/remote/adapter.h"

namespace coffer::remote {

/// Implements storage::Backend::remove, and returns the size of the removed item.
///
/// If the server can rename a folder atomically, the folder is first renamed to a hidden name, so
/// that only one of several callers removes it. Then its items are deleted. If an item cannot be
/// deleted, the call fails, and the folder gets its old name back, or a backup name if the old name
/// is taken. If the folder can get neither name, it becomes a leftover, which a sweep deletes
/// later. A folder with a hidden name, or in a hidden folder, is deleted without being renamed.
Task<Result<storage::TreeSize>> remove_item(Adapter& adapter, const Path& path);

/// Deletes a file, or a folder and everything in it. Succeeds if there is no item at `place`. If
/// the server does not delete an item, the call fails, and other items may be deleted already.
Task<Result<void>> delete_at(Adapter& adapter, const ServerPath& place);

/// Deletes the leftovers. If the server stops answering, the remaining leftovers are kept for a
/// later sweep. A leftover that the server refuses to delete is logged and forgotten.
Task<void> sweep(Adapter& adapter);

}  // namespace coffer::remote
