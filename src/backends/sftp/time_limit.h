#pragma once

#include <algorithm>
#include <chrono>

namespace coffer::sftp {

/// A moment by which a step must be through.
class TimeLimit {
 public:
  explicit TimeLimit(std::chrono::milliseconds from_now) : end_(Clock::now() + from_now) {}

  /// That long from now, but no later than this.
  TimeLimit within(std::chrono::milliseconds from_now) const {
    const TimeLimit other(from_now);
    return other.end_ < end_ ? other : *this;
  }
  bool is_over() const { return Clock::now() >= end_; }
  std::chrono::steady_clock::time_point end() const { return end_; }
  /// What is left, for poll(2): in milliseconds, rounded up, 0 when it is over.
  int left_ms() const {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(end_ - Clock::now()).count();
    return static_cast<int>(std::clamp<std::int64_t>(left, 0, 1 << 30));
  }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point end_;
};

}  // namespace coffer::sftp
