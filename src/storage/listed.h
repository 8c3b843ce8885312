#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "async/memory_room.h"
#include "async/task.h"
#include "base/error.h"
#include "base/path.h"
#include "storage/backend.h"

namespace coffer::storage {

/// The items of a folder, with the memory reserved for them. Not safe for concurrent calls.
struct Listed : FolderListing {
  MemoryRoom::Hold hold = {};
  /// Lets only some listings be in work at once. Others wait for it, so do not wait for a client
  /// before `settle`.
  std::shared_ptr<void> turn = nullptr;

  /// Releases the turn, and all memory but that of the entries. Fails as `MemoryRoom::Hold::grow`.
  Result<void> settle();
};

/// Asked after a wait whether the listing still is of use. May be null: it is. Safe from any
/// thread.
using IsWanted = std::function<bool()>;

/// Lists a folder for one client, within the memory that the client may have. Fails as
/// Backend::list and as `MemoryRoom::Hold::grow`, and with `failed` if it is not wanted any more.
using ListFolder = std::function<Task<Result<Listed>>(const std::shared_ptr<Backend>& backend,
                                                      Path folder, IsWanted is_wanted)>;

/// True if there was no memory for a listing: the work must not go on as if the folder were
/// missing.
bool is_short_of_memory(const Error& error);

/// Returns a ListFolder without any limit.
ListFolder list_without_limit();

}  // namespace coffer::storage
