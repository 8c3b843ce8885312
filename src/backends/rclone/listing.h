#pragma once

#include <vector>

#include "async/task.h"
#include "backends/rclone/drive_item.h"
#include "backends/rclone/drive_remote.h"
#include "base/error.h"
#include "base/path.h"
#include "storage/entry.h"

namespace coffer::rclone {

struct Listing {
  std::vector<DriveItem> items;  ///< All that has a name that a Path can hold.
  bool is_whole = true;          ///< False where something is left out.
};

/// What is directly in the folder; `invalid` for a file, `refused` for more than anybody has.
Task<Result<Listing>> list_items(DriveRemote& remote, const Path& folder);
/// The same as storage::Backend::list tells of it: without what only keeps the folder.
Task<Result<std::vector<storage::Entry>>> list_folder(DriveRemote& remote, const Path& folder);

/// The same, but empty where it is gone, or where a provider that knows only files does not know
/// it.
Task<Result<Listing>> list_known(DriveRemote& remote, const Path& folder);

}  // namespace coffer::rclone
