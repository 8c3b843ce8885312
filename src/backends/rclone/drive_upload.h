#pragma once

#include <memory>
#include <optional>

#include "async/task.h"
#include "backends/rclone/drive_remote.h"
#include "backends/rclone/engine/upload_server.h"
#include "backends/rclone/engine/upload_source.h"
#include "backends/rclone/rclone_job.h"
#include "base/error.h"
#include "base/path.h"

namespace coffer::rclone {

/// Content on its way to a file of the drive, whose name must be free and whose folder must exist:
/// rclone fetches it from the upload server. Used by one coroutine at a time.
class DriveUpload {
 public:
  static Task<Result<DriveUpload>> begin(DriveRemote& remote, const Path& target,
                                         std::shared_ptr<UploadSource> content);

  /// How it ended; nothing while it runs.
  Task<std::optional<Result<void>>> outcome() { return job_.outcome(); }
  /// Until it has ended, without a look at what arrived.
  Task<Result<void>> wait() { return job_.wait(storage::nobody()); }
  /// Until all is there, and as long as was offered.
  Task<Result<void>> finish();
  Task<void> stop() { return job_.stop(); }

 private:
  DriveUpload(DriveRemote& remote, Path target, std::uint64_t size_bytes,
              std::unique_ptr<UploadServer::Address> address, RcloneJob job);

  DriveRemote* remote_;
  Path target_;
  std::uint64_t size_bytes_;
  std::unique_ptr<UploadServer::Address> address_;
  RcloneJob job_;
};

/// An empty file.
Task<Result<void>> upload_nothing(DriveRemote& remote, const Path& target);

}  // namespace coffer::rclone
