#pragma once

#include "async/task.h"
#include "catalog/catalog.h"
#include "core/files/files.h"
#include "core/files/move_copy_service.h"
#include "core/namespace/mounts.h"

namespace coffer::core {

/// What recover_parked works with.
struct ParkedRecovery {
  catalog::Catalog& catalog;
  HomeDirectories& homes;
  Mounts& mounts;
  MoveCopyService& move_copy;
  Files& files;
  /// True if what shows is on the disk, also after a power failure.
  bool is_durable;
};

/// Ends the moves that a crash, or a server that went away, cut off (see Parking). If the item is
/// what was copied and all of it is at its new place, it is deleted from the old one; otherwise it
/// gets its own name back. If another item has that name, or the mount leads to another place, the
/// item stays as it is, and the log says so. What cannot be reached now is left to the next call.
Task<void> recover_parked(ParkedRecovery recovery);

}  // namespace coffer::core
