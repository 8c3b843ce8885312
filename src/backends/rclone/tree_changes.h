#pragma once

#include <boost/json/object.hpp>

#include "async/task.h"
#include "backends/rclone/drive_item.h"
#include "backends/rclone/drive_remote.h"
#include "base/error.h"
#include "base/path.h"
#include "storage/copy.h"
#include "storage/entry.h"

namespace coffer::rclone {

/// The parameters that name a file and its place to be, for rclone's calls that take both.
boost::json::object one_to_another(const DriveRemote& remote, const Path& from, const Path& to);

/// Gives an item another name, which must be free: rclone would delete what is there first, or,
/// where sizes and times are alike, drop the item and call it done. Where it fails, the drive
/// tells whether it was done all the same.
Task<Result<void>> move_item(DriveRemote& remote, const Path& from, const Path& to, bool is_folder);
/// Deletes a file, or a folder with all in it.
Task<Result<void>> delete_item(DriveRemote& remote, const Path& path, bool is_folder);
/// To be called when something has left the folder: where a provider knows only files, an empty one
/// would be gone. What has left stays done, so that the log alone tells if this fails.
Task<void> keep_folder(DriveRemote& remote, const Path& folder);

/// As storage::Backend says.
Task<Result<void>> make_folders(DriveRemote& remote, const Path& folder);
Task<Result<void>> rename_item(DriveRemote& remote, const Path& from, const Path& to);
Task<Result<storage::TreeSize>> remove_item(DriveRemote& remote, const Path& path);
Task<Result<storage::TreeSize>> copy_item(DriveRemote& remote, const Path& from, const Path& to,
                                          const storage::CopyOptions& options);

}  // namespace coffer::rclone
