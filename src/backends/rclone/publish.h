#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "async/task.h"
#include "backends/rclone/drive_remote.h"
#include "backends/rclone/drive_writer.h"
#include "base/error.h"
#include "storage/writer.h"

namespace coffer::rclone {

/// Shows finished writers under their targets' names, as storage::Backend::publish says. An old
/// file takes a backup name first, which shows, and is deleted when all is done: rclone's own
/// way would be to delete it before. Only where the drive can copy onto a name, and has nothing
/// but that, one file takes the old one's place in one step.
Task<Result<std::vector<storage::Published>>> publish_all(DriveRemote& remote,
                                                          std::span<DriveWriter* const> writers,
                                                          std::uint64_t growth_limit_bytes);

}  // namespace coffer::rclone
