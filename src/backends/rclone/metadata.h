#pragma once

#include <cstdint>
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
/// For the time of a folder all that is beside it is listed.
enum class Wanted : std::uint8_t { kind, kind_and_time };
/// The same, but nothing if there is none, and perhaps without the time of a folder.
Task<Result<std::optional<DriveItem>>> find(DriveRemote& remote, const Path& path,
                                            Wanted wanted = Wanted::kind);

}  // namespace coffer::rclone
