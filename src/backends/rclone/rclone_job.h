#pragma once

#include <boost/json/object.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "async/task.h"
#include "backends/rclone/drive_remote.h"
#include "backends/rclone/engine/rclone_process.h"
#include "backends/rclone/engine/upload_server.h"
#include "base/path.h"
#include "storage/copy.h"

namespace coffer::rclone {

/// A call that rclone runs in the background. Only one coroutine may use this object at a time.
class RcloneJob {
 public:
  /// Starts the job. Fails as DriveRemote::start_job does.
  static Task<Result<RcloneJob>> start(DriveRemote& remote, std::string_view method,
                                       boost::json::object parameters);

  /// Returns the job's result; nullopt if the job still runs, or rclone does not reply.
  Task<std::optional<Result<void>>> outcome();
  /// Waits for the end of the job and returns its result. Reports transferred bytes to `watch`. If
  /// `watch` cancels or this program shuts down, stops the job and fails; the job's changes stay.
  Task<Result<void>> wait(storage::CopyWatch& watch);
  /// Returns true if an earlier call has found that the job has ended.
  bool is_over() const { return is_over_; }
  /// Returns the run of the rclone process in which the job was started.
  const RcloneProcess::Run& run() const { return run_; }
  /// Returns the number of bytes that `wait` has reported to its `watch`.
  std::uint64_t told_bytes() const { return told_bytes_; }
  /// Asks rclone to stop the job, and waits up to five seconds for its end.
  Task<void> stop();

 private:
  RcloneJob(DriveRemote& remote, JobId id)
      : remote_(&remote), run_(std::move(id.run)), id_(id.number) {}
  Task<Result<boost::json::object>> ask(std::string_view method, boost::json::object parameters);
  Task<void> tell_progress(storage::CopyWatch& watch);

  DriveRemote* remote_;
  RcloneProcess::Run run_;
  std::int64_t id_;
  std::uint64_t told_bytes_ = 0;
  bool is_over_ = false;
};

/// An upload of a new file: rclone fetches the content from the upload server. Only one coroutine
/// may use it at a time.
class DriveUpload {
 public:
  /// Starts the upload. The name of `target` must be free, and its folder must exist.
  static Task<Result<DriveUpload>> begin(DriveRemote& remote, const Path& target,
                                         std::shared_ptr<UploadSource> content);

  /// Returns the upload's result; nullopt if the upload still runs, or rclone does not reply.
  Task<std::optional<Result<void>>> outcome() { return job_.outcome(); }
  /// Waits until the upload has ended. Does not check the file on the drive.
  Task<Result<void>> wait() { return job_.wait(storage::nobody()); }
  /// Waits until the upload has ended, and checks the file on the drive: `refused` if the size of
  /// the file is not the size of the content.
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

/// Uploads an empty file. Its name must be free, and its folder must exist.
Task<Result<void>> upload_nothing(DriveRemote& remote, const Path& target);

}  // namespace coffer::rclone
