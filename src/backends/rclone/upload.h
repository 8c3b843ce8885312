#pragma once

#include <memory>
#include <optional>

#include "async/task.h"
#include "backends/rclone/door.h"
#include "backends/rclone/job.h"
#include "backends/rclone/offer.h"
#include "backends/rclone/remote.h"
#include "base/error.h"
#include "base/path.h"

namespace coffer::rclone {

/// Content on its way to a file of the drive, whose name must be free and whose folder must exist:
/// rclone fetches it from the door. Used by one coroutine at a time.
class Upload {
 public:
  static Task<Result<Upload>> begin(Remote& remote, const Path& target,
                                    std::shared_ptr<Offer> content);

  /// How it ended; nothing while it runs.
  Task<std::optional<Result<void>>> outcome() { return job_.outcome(); }
  /// Until all is there, and as long as was offered.
  Task<Result<void>> finish();
  Task<void> stop() { return job_.stop(); }

 private:
  Upload(Remote& remote, Path target, std::uint64_t size_bytes,
         std::unique_ptr<Door::Address> address, Job job);

  Remote* remote_;
  Path target_;
  std::uint64_t size_bytes_;
  std::unique_ptr<Door::Address> address_;
  Job job_;
};

/// An empty file.
Task<Result<void>> upload_nothing(Remote& remote, const Path& target);

}  // namespace coffer::rclone
