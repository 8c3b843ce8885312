#pragma once

#include <boost/json/object.hpp>
#include <cstdint>
#include <optional>
#include <string_view>

#include "async/task.h"
#include "backends/rclone/drive_remote.h"
#include "backends/rclone/engine/rclone_process.h"
#include "storage/copy.h"

namespace coffer::rclone {

/// A call that rclone carries out behind (`_async`), and that can be stopped. Used by one coroutine
/// at a time.
class RcloneJob {
 public:
  static Task<Result<RcloneJob>> start(DriveRemote& remote, std::string_view method,
                                       boost::json::object parameters);

  /// How it ended; nothing while it runs, or cannot be asked at this moment.
  Task<std::optional<Result<void>>> outcome();
  /// Until it has ended. It is stopped when `watch`, which gets the bytes as they are moved, or
  /// the end of this program wants that; what it did by then stays.
  Task<Result<void>> wait(storage::CopyWatch& watch);
  /// True once it is certain that it does nothing any more.
  bool is_over() const { return is_over_; }
  /// The life of the engine that knows it.
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

}  // namespace coffer::rclone
