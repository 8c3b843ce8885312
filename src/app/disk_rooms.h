#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "async/pool.h"
#include "async/task.h"
#include "core/server_state.h"

namespace coffer::app {

/// Looks how much room disks have. A disk that does not answer holds one thread of the pool,
/// however often it is asked for. Safe from any thread.
class DiskRooms {
 public:
  using Look = std::function<core::DiskRoom(const std::string&)>;

  /// The pool must outlive this object. `look` asks the disk and may block (look_at_disk).
  explicit DiskRooms(Pool& pool, Look look = {});

  /// Returns the rooms in the order of `paths`. They are up to ten seconds old. Waits for disks
  /// that do not answer, but not longer than `patience`, and leaves their rooms unknown.
  Task<std::vector<core::DiskRoom>> look(
      std::vector<std::string> paths,
      std::chrono::milliseconds patience = std::chrono::milliseconds(1'000));

 private:
  /// What is known of the disks. Looks that have not ended keep it.
  struct Known;
  class Waiter;
  bool begin(const std::string& path, const std::shared_ptr<Waiter>& waiter);

  Pool& pool_;
  const Look look_;
  const std::shared_ptr<Known> known_;
};

/// Returns the room of the disk that a path is on (statvfs(3)): what this process may use, and the
/// whole. Both are unknown if that fails. Blocks until the disk answers.
core::DiskRoom look_at_disk(const std::string& path);

}  // namespace coffer::app
