#pragma once

#include <atomic>
#include <cstddef>

namespace coffer::app {

/// Counts a call while it is under way.
class CountedCall {
 public:
  explicit CountedCall(std::atomic<std::size_t>& count) : count_(count), before_(count++) {}
  ~CountedCall() { --count_; }
  CountedCall(const CountedCall&) = delete;
  CountedCall& operator=(const CountedCall&) = delete;

  /// The number of others that were under way when it began.
  std::size_t before() const { return before_; }

 private:
  std::atomic<std::size_t>& count_;
  const std::size_t before_;
};

}  // namespace coffer::app
