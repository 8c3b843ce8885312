#pragma once

#include <chrono>
#include <cstdint>
#include <utility>

namespace coffer::http {

/// Checks the average rate of a peer over windows of the time spent waiting for it. Time in which
/// this side was slow does not count.
class RateMeter {
 public:
  using Duration = std::chrono::steady_clock::duration;

  /// `min_rate_bytes` a second; 0 accepts any rate.
  RateMeter(std::uint64_t min_rate_bytes, Duration window)
      : min_rate_bytes_(min_rate_bytes), window_(window) {}

  /// Adds a wait and the bytes that it brought. False if it ends a window that was too slow.
  bool keeps_up(Duration waited, std::uint64_t bytes) {
    waited_ += waited;
    bytes_ += bytes;
    if (waited_ < window_) return true;
    const std::chrono::duration<double> seconds = std::exchange(waited_, Duration::zero());
    const auto least = static_cast<double>(min_rate_bytes_) * seconds.count();
    return static_cast<double>(std::exchange(bytes_, 0)) >= least;
  }

 private:
  const std::uint64_t min_rate_bytes_;
  const Duration window_;
  Duration waited_{};
  std::uint64_t bytes_ = 0;
};

}  // namespace coffer::http
