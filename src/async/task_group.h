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

/// Runs a task without waiting for it; it is dropped unfinished with what its executor is of.
/// An exception that leaves it is logged; it ends nothing else. What can be joined belongs in a
/// TaskGroup.
void spawn_background(const asio::any_io_executor& executor, Task<void> task);

/// Logs an exception that left a task in the background; nothing for null.
void log_broken_task(const std::exception_ptr& thrown);

/// Tasks that run beside their owner and are joined before it goes: nothing runs detached.
/// Safe from any thread. An exception that leaves a task is logged; it ends nothing else.
class TaskGroup {
 public:
  TaskGroup() = default;
  /// Every task must have been joined.
  ~TaskGroup();
  TaskGroup(const TaskGroup&) = delete;
  TaskGroup& operator=(const TaskGroup&) = delete;

  /// Starts `task` on `executor`. After `cancel` it starts nothing and drops the task.
  void spawn(asio::any_io_executor executor, Task<void> task);
  /// How many tasks run now.
  std::size_t size() const;
  /// Asks every task to stop (terminal cancellation), each on its own executor.
  void cancel();
  /// Returns true when no task runs any more, false when `limit` has passed before.
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
