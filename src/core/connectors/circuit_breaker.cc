#include "core/connectors/circuit_breaker.h"

#include <utility>

namespace coffer::core {
namespace {

constexpr int kFailuresToOpen = 3;
constexpr auto kBetweenTries = std::chrono::seconds(5);

/// True if the server is down; not if it refused a single request.
bool is_outage(const Error& error) {
  return error.code == ErrorCode::unavailable || error.code == ErrorCode::timed_out;
}

}  // namespace

CircuitBreaker::CircuitBreaker(std::string label, std::function<Clock::time_point()> now)
    : label_(std::move(label)), now_(std::move(now)) {}

std::optional<Error> CircuitBreaker::refusal() {
  const std::lock_guard lock(mutex_);
  if (failures_ < kFailuresToOpen) return std::nullopt;
  const auto time = now_();
  if (time < next_try_) {
    return Error{last_.code, with_label("The server did not serve lately: " + last_.message)};
  }
  // This call is the try. If its outcome is never noted, the next try comes as late.
  next_try_ = time + kBetweenTries;
  return std::nullopt;
}

void CircuitBreaker::note_success() {
  const std::lock_guard lock(mutex_);
  failures_ = 0;
  answered_at_ = coffer::now();
}

Error CircuitBreaker::note_failure(Error error) {
  const std::lock_guard lock(mutex_);
  if (is_own_failure(error.code)) return error;
  answered_at_ = coffer::now();
  if (!is_outage(error)) {
    failures_ = 0;
    return labelled(std::move(error));
  }
  if (failures_ < kFailuresToOpen) ++failures_;
  next_try_ = now_() + kBetweenTries;
  last_ = error;
  return labelled(std::move(error));
}

Error CircuitBreaker::labelled(Error error) const {
  if (is_outage(error) || error.code == ErrorCode::refused)
    error.message = with_label(error.message);
  return error;
}

ServerHealth CircuitBreaker::health() const {
  const std::lock_guard lock(mutex_);
  using State = ServerHealth::State;
  if (!answered_at_) return {};
  if (failures_ == 0) return {State::works, {}, answered_at_};
  return {State::fails, last_.message, answered_at_};
}

std::string CircuitBreaker::with_label(const std::string& message) const {
  return label_ + ": " + message;
}

}  // namespace coffer::core
