#pragma once

#include "async/task.h"
#include "backends/rclone/drive_remote.h"
#include "base/error.h"
#include "base/path.h"
#include "storage/copy.h"
#include "storage/entry.h"

namespace coffer::rclone {

/// Has rclone copy a file or a tree to a new name, but for hidden names in it. `expected` is what
/// `watch` is to hear of.
Task<Result<void>> copy_whole(DriveRemote& remote, const Path& from, const Path& to,
                              const storage::TreeSize& expected, storage::CopyWatch& watch);

}  // namespace coffer::rclone
