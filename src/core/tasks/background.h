#pragma once

#include <atomic>
#include <boost/asio/any_io_executor.hpp>
#include <chrono>

#include "async/task.h"
#include "async/task_group.h"

namespace coffer::core {

/// Runs work that no caller waits for, such as releasing the quota of an upload that broke off.
/// Safe from any thread.
class Background {
 public:
  explicit Background(asio::any_io_executor executor) : executor_(std::move(executor)) {}

  void spawn(Task<void> task) { group_.spawn(executor_, std::move(task)); }
  /// Waits until all work has ended. Returns false if this takes longer than `limit`.
  Task<bool> join(std::chrono::steady_clock::duration limit) {
    is_ending_ = true;
    return group_.join(limit);
  }
  /// Returns true after `join` was called, which means that the server is stopping. Work that can
  /// wait until the next start of the server must then not begin.
  bool is_ending() const { return is_ending_; }

 private:
  asio::any_io_executor executor_;
  std::atomic<bool> is_ending_ = false;
  TaskGroup group_;
};

}  // namespace coffer::core
