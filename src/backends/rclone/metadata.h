#pragma once

#include <optional>

#include "async/task.h"
#include "backends/rclone/drive_item.h"
#include "backends/rclone/drive_remote.h"
#include "base/error.h"
#include "base/path.h"

namespace coffer::rclone {

/// The item; `not_found` if there is none. The remote's own root is there without asking: listing
/// what is above it may not be allowed.
Task<Result<DriveItem>> metadata_of(DriveRemote& remote, const Path& path);
/// The same, but nothing if there is none, and perhaps without the time of a folder.
Task<Result<std::optional<DriveItem>>> find(DriveRemote& remote, const Path& path);
/// `invalid` if it is a file, `not_found` if there is none.
Task<Result<void>> need_folder(DriveRemote& remote, const Path& folder);

}  // namespace coffer::rclone
