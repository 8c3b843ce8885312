#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <utility>

#include "http/io.h"

namespace coffer::http {

/// Compares a peer's rate in each time window with a minimum. Counts only waits for the peer.
class RateMeter {
 public:
  using Duration = std::chrono::steady_clock::duration;

  /// `min_rate_bytes` is in bytes a second; 0 accepts any rate.
  RateMeter(std::uint64_t min_rate_bytes, Duration window)
      : min_rate_bytes_(min_rate_bytes), window_(window) {}

  /// Adds a wait and the bytes that were transferred during it. Returns false if this wait ends a
  /// window and the rate in this window was below the minimum.
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

/// The limits for a peer while a body is sent or received.
struct TransferLimits {
  std::chrono::milliseconds stall_timeout;  ///< The longest time without a byte.
  std::uint64_t min_rate_bytes;  ///< Minimum of bytes a second, averaged over `min_rate_window`.
  std::chrono::milliseconds min_rate_window;
};

/// Judges by the TransferLimits whether a peer is too slow, and since when it has paused.
class TransferMeter {
 public:
  explicit TransferMeter(const TransferLimits& limits)
      : limits_(limits), rate_(limits.min_rate_bytes, limits.min_rate_window) {}

  /// Returns when a wait that begins at `begun` has lasted too long without a byte.
  Instant deadline(Instant begun) const { return begun + limits_.stall_timeout; }
  /// Counts bytes that were received in a wait. Returns false if the peer is too slow.
  bool counts_received(Instant begun, std::uint64_t bytes) {
    return rate_.keeps_up(std::chrono::steady_clock::now() - begun, bytes);
  }
  /// Counts bytes that the peer took in a wait, which has passed its deadline if `is_late`. Returns
  /// false if the peer must be cut off.
  bool counts_taken(Instant begun, bool is_late, std::uint64_t bytes) {
    const bool is_fast = rate_.keeps_up(std::chrono::steady_clock::now() - begun, bytes);
    return lets_lag(!is_fast || (is_late && bytes == 0), begun, bytes);
  }

  /// While this is set, a peer that takes bytes too slowly is not cut off.
  void let_pause(bool may_pause) {
    may_pause_ = may_pause;
    stalled_since_.reset();
  }
  bool may_pause() const { return may_pause_; }
  /// Returns since when the peer has taken bytes too slowly; nullopt if it does not.
  std::optional<Instant> stalled_since() const { return stalled_since_; }

 private:
  /// Returns false if the peer must be cut off. A peer that has lagged goes on once it takes bytes
  /// at the least rate again: a byte now and then is not enough.
  bool lets_lag(bool lags, Instant begun, std::uint64_t taken_bytes) {
    if (lags) {
      if (!stalled_since_) stalled_since_ = begun;
      return may_pause_;
    }
    const std::chrono::duration<double> waited = std::chrono::steady_clock::now() - begun;
    const double least = static_cast<double>(limits_.min_rate_bytes) * waited.count();
    if (static_cast<double>(taken_bytes) >= least) stalled_since_.reset();
    return true;
  }

  const TransferLimits limits_;
  RateMeter rate_;
  bool may_pause_ = false;
  std::optional<Instant> stalled_since_;
};

}  // namespace coffer::http
