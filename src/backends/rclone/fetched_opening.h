#pragma once

#include <memory>
#include <span>
#include <vector>

#include "async/task.h"
#include "backends/rclone/drive_remote.h"
#include "base/path.h"
#include "storage/copy.h"
#include "storage/entry.h"
#include "storage/reader.h"

namespace coffer::rclone {

/// As storage::Backend::open_together says. The folder is listed again once all was fetched: each
/// file must be what `files` say before and after.
Task<std::vector<std::unique_ptr<storage::Reader>>> open_fetched(
    std::shared_ptr<DriveRemote> remote, const Path& folder, std::span<const storage::Entry> files,
    const storage::CopyWatch& watch);

}  // namespace coffer::rclone
