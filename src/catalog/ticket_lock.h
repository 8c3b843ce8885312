#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace coffer::catalog {

/// A mutex that its waiters get in the order in which they asked for it. Use it with the locks of
/// the standard library. Safe from any thread.
class TicketLock {
 public:
  void lock() {
    std::unique_lock lock(mutex_);
    const std::uint64_t ticket = next_++;
    changed_.wait(lock, [&] { return ticket == served_; });
  }
  void unlock() {
    {
      const std::lock_guard lock(mutex_);
      ++served_;
    }
    changed_.notify_all();
  }
  /// The number of threads that have the lock or wait for it.
  std::uint64_t users() const {
    const std::lock_guard lock(mutex_);
    return next_ - served_;
  }

 private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::uint64_t next_ = 0;
  std::uint64_t served_ = 0;
};

}  // namespace coffer::catalog
