#pragma once

#include <chrono>
#include <cstdint>

#include "base/error.h"
#include "storage/remote.h"

namespace coffer::ftp {

/// What a connection waits for.
enum class Phase : std::uint8_t { connect, login, reply, transfer };

/// How long a connection goes on waiting for its server.
class InactivityTimer {
 public:
  explicit InactivityTimer(const storage::Deadlines& limits) : limits_(limits) {}

  /// A command or a transfer begins.
  void begin(Phase phase);
  /// What has just begun is a listing, which must keep its pace.
  void begin_listing() { is_listing_ = true; }
  /// So much came of it.
  void took(std::uint64_t bytes) { taken_bytes_ += bytes; }

  Phase phase() const { return phase_; }
  void enter(Phase phase);
  /// The server gave a sign of life, or could not be expected to.
  void renew() { since_ = std::chrono::steady_clock::now(); }

  /// Also when this program ends.
  bool expired() const;
  /// `timed_out`, with what it was that the server did not do; `unavailable` at the end.
  Error error() const;

 private:
  using Time = std::chrono::steady_clock::time_point;
  bool is_too_slow(Time now) const;

  const storage::Deadlines limits_;
  Phase phase_ = Phase::connect;
  Time since_{};
  Time begun_at_{};
  std::uint64_t taken_bytes_ = 0;
  bool is_listing_ = false;
};

}  // namespace coffer::ftp
