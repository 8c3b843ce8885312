#pragma once

#include "backends/remote/adapter.h"

namespace coffer::remote {

/// As storage::Backend says. A folder goes out of sight in one step, where there is one, which also
/// decides between two that remove it; then bit by bit. What cannot be deleted is brought back, and
/// the call fails; where that cannot be either, it is deleted when the server is back. What is out
/// of sight already keeps its name meanwhile.
Task<Result<storage::TreeSize>> remove_item(Adapter& adapter, const Path& path);

/// Deletes what is there, a file or a folder with all in it. What is gone already is no failure.
/// Stops where the server does not delete an item.
Task<Result<void>> delete_at(Adapter& adapter, const ServerPath& place);

/// Deletes the leftovers that have come. The first that the server does not answer for and those
/// behind it wait for another sweep; of what it refuses the log tells.
Task<void> sweep(Adapter& adapter);

}  // namespace coffer::remote
