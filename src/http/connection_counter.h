#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <utility>

namespace coffer::http {

/// Counts the connections of all threads. Safe from any thread.
class ConnectionCounter {
 public:
  std::size_t count() const { return count_.load(std::memory_order_relaxed); }
  /// True once none is counted, false when `limit` has passed before.
  bool wait_for_none(std::chrono::milliseconds limit) {
    std::unique_lock lock(mutex_);
    return none_.wait_for(lock, limit, [this] { return count() == 0; });
  }

  /// Counts its owner while it lives.
  class Guard {
   public:
    explicit Guard(ConnectionCounter& connection_counter)
        : connection_counter_(&connection_counter) {
      ++connection_counter.count_;
    }
    Guard(Guard&& other) noexcept
        : connection_counter_(std::exchange(other.connection_counter_, nullptr)) {}
    Guard& operator=(Guard&&) = delete;
    ~Guard() {
      if (connection_counter_ && --connection_counter_->count_ == 0) connection_counter_->tell();
    }

   private:
    ConnectionCounter* connection_counter_;
  };

 private:
  void tell() {
    const std::lock_guard lock(mutex_);
    none_.notify_all();
  }

  std::atomic<std::size_t> count_{0};
  std::mutex mutex_;
  std::condition_variable none_;
};

}  // namespace coffer::http
