#pragma once

#include "backends/remote/adapter.h"

namespace coffer::remote {

/// Removes an item as storage::Backend says. A folder is renamed to a hidden name in one step, if
/// the server can, which also decides between two callers; then its items are deleted. If an item
/// cannot be deleted, the folder gets its name back and the call fails; if that fails too, the rest
/// is deleted when the server is back. A folder that is hidden already keeps its name meanwhile.
Task<Result<storage::TreeSize>> remove_item(Adapter& adapter, const Path& path);

/// Deletes a file, or a folder with all in it. Succeeds if it is gone already. Stops at the first
/// item that the server does not delete.
Task<Result<void>> delete_at(Adapter& adapter, const ServerPath& place);

/// Deletes the leftovers. The first one that the server does not answer for, and those behind it,
/// wait for another sweep; a refusal is logged.
Task<void> sweep(Adapter& adapter);

}  // namespace coffer::remote
