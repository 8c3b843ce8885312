#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <utility>

namespace coffer::http {

/// Counts the connections of all threads. Safe from any thread.
class Census {
 public:
  std::size_t count() const { return count_.load(std::memory_order_relaxed); }
  /// True once nobody is counted, false when `limit` has passed before.
  bool wait_for_none(std::chrono::milliseconds limit) {
    std::unique_lock lock(mutex_);
    return none_.wait_for(lock, limit, [this] { return count() == 0; });
  }

  /// Counts its owner while it lives.
  class Ticket {
   public:
    explicit Ticket(Census& census) : census_(&census) { ++census.count_; }
    Ticket(Ticket&& other) noexcept : census_(std::exchange(other.census_, nullptr)) {}
    Ticket& operator=(Ticket&&) = delete;
    ~Ticket() {
      if (census_ && --census_->count_ == 0) census_->tell();
    }

   private:
    Census* census_;
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
