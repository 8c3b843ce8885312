#pragma once

#include <vector>

#include "async/task.h"
#include "backends/rclone/drive_item.h"
#include "backends/rclone/drive_remote.h"
#include "base/error.h"
#include "base/path.h"

namespace coffer::rclone {

struct Listing {
  std::vector<DriveItem> items;  ///< All that has a name that a Path can hold.
  bool is_whole = true;          ///< False where something is left out.
};

/// What is directly in the folder; `refused` for more than anybody has. Asks nothing about the
/// folder itself: a file, or what a provider that knows only files does not know, may look empty.
Task<Result<Listing>> list_items(DriveRemote& remote, const Path& folder);

}  // namespace coffer::rclone
