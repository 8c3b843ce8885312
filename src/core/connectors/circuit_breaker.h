#pragma once

#include <chrono>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/enum_words.h"
#include "base/error.h"
#include "base/id.h"

namespace coffer::core {

/// The state of a server at its last call.
struct ServerHealth {
  enum class State : std::uint8_t { unknown, works, fails };
  State state = State::unknown;        ///< `unknown`: it was not called yet.
  std::string message;                 ///< The failure, for people.
  std::optional<Timestamp> looked_at;  ///< The end of that call.
};

constexpr auto words_of(ServerHealth::State) {
  using enum ServerHealth::State;
  return enum_words<ServerHealth::State>(
      {{unknown, "unknown"}, {works, "works"}, {fails, "fails"}});
}

/// Keeps callers from waiting, each for a whole time limit, for a server that is down: after three
/// failures in a row calls are refused at once, except one every five seconds that tries the server
/// again. Safe from any thread.
class CircuitBreaker {
 public:
  using Clock = std::chrono::steady_clock;

  /// `label` names the server in every message.
  CircuitBreaker(std::string label, std::function<Clock::time_point()> now);

  /// The error that a call has to fail with at once; nullopt if the call may be made.
  std::optional<Error> refusal();

  /// Notes a call that succeeded.
  void note_success();
  /// Notes a call that failed and returns the error for the caller. `unavailable` and `timed_out`
  /// are failures of the server, and get the label; a failure of this machine counts for nothing;
  /// all other errors are answers, as good as a success.
  Error note_failure(Error error);
  /// Adds the label to the errors of the server, without noting anything.
  Error labelled(Error error) const;
  ServerHealth health() const;

 private:
  std::string with_label(const std::string& message) const;

  const std::string label_;
  const std::function<Clock::time_point()> now_;
  mutable std::mutex mutex_;
  int failures_ = 0;  ///< In a row.
  Error last_;        ///< Without the label.
  Clock::time_point next_try_;
  std::optional<Timestamp> answered_at_;  ///< The time of the last answer or outage.
};

/// Knows the state of connectors' servers. Safe from any thread.
class ConnectorHealth {
 public:
  virtual ~ConnectorHealth() = default;
  /// Contacts no server. `unknown` if the connector was not used lately.
  virtual ServerHealth health_of(const ConnectorId& connector) = 0;
};

}  // namespace coffer::core
