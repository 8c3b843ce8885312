#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <exception>
#include <list>
#include <memory>
#include <mutex>

#include "async/task.h"

namespace coffer {

/// Runs a task without waiting for it. If the executor's context is destroyed first, the unfinished
/// task is destroyed. An exception that leaves the task is only logged. Use a TaskGroup for tasks
/// that must be joined.
void spawn_background(const asio::any_io_executor& executor, Task<void> task);

/// Logs an exception that left a background task. Does nothing if `thrown` is null.
void log_broken_task(const std::exception_ptr& thrown);

/// Tasks that run concurrently with the owner of the group. The owner must join the tasks before it
/// destroys the group. An exception that leaves a task is logged and does not affect other tasks.
/// Safe from any thread.
class TaskGroup {
 public:
  TaskGroup() = default;
  /// All tasks must have ended (see `join`).
  ~TaskGroup();
  TaskGroup(const TaskGroup&) = delete;
  TaskGroup& operator=(const TaskGroup&) = delete;

  /// Starts `task` on `executor`. After `cancel`, destroys `task` without starting it.
  void spawn(asio::any_io_executor executor, Task<void> task);
  /// Returns the number of tasks that have not ended.
  std::size_t size() const;
  /// Asks every task to stop, each on its own executor (Asio's terminal cancellation).
  void cancel();
  /// Waits until all tasks have ended. Returns false if this takes longer than `limit`.
  Task<bool> join(std::chrono::steady_clock::duration limit);

 private:
  struct Member {
    asio::any_io_executor executor;
    std::shared_ptr<asio::cancellation_signal> signal;
  };
  using Members = std::list<Member>;
  void finished(Members::iterator member);

  mutable std::mutex mutex_;
  Members members_;
  std::weak_ptr<asio::steady_timer> waiter_;
  bool cancelled_ = false;
};

}  // namespace coffer
