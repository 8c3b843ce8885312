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

/// A call that rclone carries out behind (`_async`), and that can be stopped. Used by one coroutine
/// at a time.
class RcloneJob {
 public:
  static Task<Result<RcloneJob>> start(DriveRemote& remote, std::string_view method,
                                       boost::json::object parameters);

  /// Returns the result, or nullopt while it runs or cannot be asked.
  Task<std::optional<Result<void>>> outcome();
  /// Waits until it has ended. Stops it when `watch` cancels or this program ends; its work until
  /// then stays. `watch` gets the bytes as they are moved.
  Task<Result<void>> wait(storage::CopyWatch& watch);
  /// True once it certainly does nothing any more.
  bool is_over() const { return is_over_; }
  /// The run of the engine that knows it.
  const RcloneProcess::Run& run() const { return run_; }
  std::uint64_t told_bytes() const { return told_bytes_; }
  /// Stops it, and waits a moment for that.
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

/// Content on its way to a file of the drive, whose name must be free and whose folder must exist:
/// rclone fetches it from the upload server. Used by one coroutine at a time.
class DriveUpload {
 public:
  static Task<Result<DriveUpload>> begin(DriveRemote& remote, const Path& target,
                                         std::shared_ptr<UploadSource> content);

  /// Returns the result, or nullopt while it runs.
  Task<std::optional<Result<void>>> outcome() { return job_.outcome(); }
  /// Waits until it has ended, without a look at the file.
  Task<Result<void>> wait() { return job_.wait(storage::nobody()); }
  /// Waits until it has ended and the file is as long as it was announced.
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
