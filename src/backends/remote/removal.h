#pragma once

#include "backends/remote/adapter.h"

namespace coffer::remote {

/// Implements storage::Backend::remove, and returns the size of the removed files.
///
/// If the server can rename a folder atomically, the folder is first renamed to a hidden name; if
/// two callers remove it, only one rename succeeds. Then its items are deleted. If an item cannot
/// be deleted, the folder gets its old name back, or a backup name if the old one is taken, and the
/// call fails. If this rename fails too, the folder becomes a leftover, which a sweep deletes
/// later. A folder that is hidden already is not renamed.
Task<Result<storage::TreeSize>> remove_item(Adapter& adapter, const Path& path);

/// Deletes a file, or a folder and everything in it. Succeeds if nothing is there. Fails if the
/// server does not delete an item; other items may be gone then.
Task<Result<void>> delete_at(Adapter& adapter, const ServerPath& place);

/// Deletes the leftovers. If the server stops answering, the remaining ones are kept for a later
/// sweep. A leftover that the server refuses to delete is logged and forgotten.
Task<void> sweep(Adapter& adapter);

}  // namespace coffer::remote
