#pragma once

#include <chrono>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/error.h"

namespace coffer::core {

/// How a server did when it was last called.
struct ServerHealth {
  enum class State : std::uint8_t { unknown, works, fails };
  State state = State::unknown;        ///< Unknown: it was not called yet.
  std::string message;                 ///< What is wrong, for people.
  std::optional<Timestamp> looked_at;  ///< When that call ended.
};

std::string_view to_string(ServerHealth::State state);

/// Keeps callers from waiting, each for a whole time limit, for a server that does not serve: after
/// three failures in a row calls are refused at once, but for one every five seconds that tries
/// whether it serves again. Safe from any thread.
class CircuitBreaker {
 public:
  using Clock = std::chrono::steady_clock;

  /// `label` says which server it is, in every message.
  CircuitBreaker(std::string label, std::function<Clock::time_point()> now);

  /// What a call is to fail with at once; nothing if it may be made.
  std::optional<Error> refusal();

  /// To be called when a call succeeded.
  void note_success();
  /// To be called with what it failed with; returns that for the caller. `unavailable` and
  /// `timed_out` are failures of the server, and get the label; `failed` tells nothing of it; all
  /// others are answers, as good as a success.
  Error note_failure(Error error);
  /// `unavailable` and `timed_out` with the label, all others as they are; nothing is noted.
  Error labelled(Error error) const;
  ServerHealth health() const;

 private:
  std::string with_label(const std::string& message) const;

  const std::string label_;
  const std::function<Clock::time_point()> now_;
  mutable std::mutex mutex_;
  int failures_ = 0;  ///< In a row.
  Error last_;        ///< As the server's caller got it, without the label.
  Clock::time_point next_try_;
  std::optional<Timestamp> answered_at_;  ///< When a call last showed how it does.
};

}  // namespace coffer::core
