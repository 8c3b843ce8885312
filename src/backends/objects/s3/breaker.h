#pragma once

#include <chrono>
#include <functional>
#include <mutex>
#include <optional>

namespace coffer::objects::s3 {

/// Makes calls to a store that is away fail at once, instead of at their time limits. After three
/// calls in a row that found it away, it refuses all requests, but that it lets one through every
/// two seconds, which tries the store again. Safe from any thread.
class Breaker {
 public:
  using Clock = std::chrono::steady_clock;

  explicit Breaker(std::function<Clock::time_point()> now = &Clock::now) : now_(std::move(now)) {}

  /// Returns nullopt if a request may be sent now; else the time until the next try, at least a
  /// second.
  std::optional<std::chrono::seconds> refusal();
  /// The store answered a call, whatever it said. Returns true if requests were refused so far.
  bool note_answer();
  /// A call found the store away, after all its attempts.
  void note_outage();

 private:
  const std::function<Clock::time_point()> now_;
  std::mutex mutex_;
  int outages_ = 0;  ///< In a row.
  Clock::time_point next_try_;
};

}  // namespace coffer::objects::s3
