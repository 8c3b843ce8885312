#pragma once

#include <atomic>
#include <boost/asio/any_io_executor.hpp>
#include <chrono>

#include "async/task.h"
#include "async/task_group.h"

namespace coffer::core {

/// Where work goes that must be done although no caller waits for it any more, such as giving back
/// what a broken-off upload had reserved. Safe from any thread.
class Background {
 public:
  explicit Background(asio::any_io_executor executor) : executor_(std::move(executor)) {}

  void spawn(Task<void> task) { group_.spawn(executor_, std::move(task)); }
  /// True when all of it is done, false when `limit` has passed before.
  Task<bool> join(std::chrono::steady_clock::duration limit) {
    is_ending_ = true;
    return group_.join(limit);
  }
  /// True when `join` was called: what can be done another time is left.
  bool is_ending() const { return is_ending_; }

 private:
  asio::any_io_executor executor_;
  std::atomic<bool> is_ending_ = false;
  TaskGroup group_;
};

}  // namespace coffer::core
