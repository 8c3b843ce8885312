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

/// The state of a remote server, as of its last answer or outage.
struct ServerHealth {
  enum class State : std::uint8_t { unknown, works, fails };
  State state = State::unknown;        ///< `unknown`: no answer or outage yet.
  std::string message;                 ///< The error of the last outage, for people.
  std::optional<Timestamp> looked_at;  ///< The time of the last answer or outage.
};

constexpr auto words_of(ServerHealth::State) {
  using enum ServerHealth::State;
  return enum_words<ServerHealth::State>(
      {{unknown, "unknown"}, {works, "works"}, {fails, "fails"}});
}

/// Makes calls to a remote server that is down fail at once, instead of at their time limits. After
/// three outages in a row (see `note_failure`) it refuses all calls, except that every five seconds
/// it lets one call through, which tries the server again. Safe from any thread.
class CircuitBreaker {
 public:
  using Clock = std::chrono::steady_clock;

  /// `label` names the server in error messages.
  CircuitBreaker(std::string label, std::function<Clock::time_point()> now);

  /// Returns the error with which a call must fail at once; nullopt if the call may be made.
  std::optional<Error> refusal();

  void note_success();
  /// Records a failed call, and returns its error for the caller, with the label (see `labelled`).
  /// `unavailable` and `timed_out` count as outages. Failures of this machine (see is_own_failure)
  /// are not recorded. All other errors count as a success, because the server has answered.
  Error note_failure(Error error);
  /// Returns the error. Puts the label before the message of `unavailable`, `timed_out`, `refused`.
  Error labelled(Error error) const;
  ServerHealth health() const;
  Clock::time_point now() const { return now_(); }

 private:
  std::string with_label(const std::string& message) const;

  const std::string label_;
  const std::function<Clock::time_point()> now_;
  mutable std::mutex mutex_;
  int failures_ = 0;  ///< The number of outages in a row.
  Error last_;        ///< The last outage, without the label.
  Clock::time_point next_try_;
  std::optional<Timestamp> answered_at_;  ///< The time of the last answer or outage.
};

/// Tells the health of the servers that connectors lead to. Safe from any thread.
class ConnectorHealth {
 public:
  virtual ~ConnectorHealth() = default;
  /// Returns the last known health of a connector's server. Does not contact the server. The state
  /// is `unknown` if the connector was not used recently.
  virtual ServerHealth health_of(const ConnectorId& connector) = 0;
};

}  // namespace coffer::core
