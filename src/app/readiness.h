#pragma once

#include <atomic>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "app/app_context.h"
#include "async/task.h"
#include "base/error.h"
#include "core/readiness.h"
#include "core/tasks/background.h"

namespace coffer::app {

/// Asks something else whether it works: once at a time, however many want to know, and not again
/// while the last answer is fresh. Safe from any thread. Must outlive its calls and the work that
/// `background` does.
class RememberedCheck {
 public:
  using Clock = std::chrono::steady_clock;
  struct Times {
    Clock::duration fresh = std::chrono::seconds(1);  ///< An answer is used for so long.
    Clock::duration limit = std::chrono::seconds(2);  ///< Callers wait at most so long for one.
  };

  /// `check` may take longer than the limit. If it throws, that is logged and the answer is no.
  RememberedCheck(core::Background& background, std::function<Task<bool>()> check)
      : RememberedCheck(background, std::move(check), Times()) {}
  RememberedCheck(core::Background& background, std::function<Task<bool>()> check, Times times)
      : background_(background), check_(std::move(check)), times_(times) {}

  /// Returns the answer of the check; false if there is none in time.
  Task<bool> passes();

 private:
  using Waiting = std::shared_ptr<asio::steady_timer>;
  /// Begins a check if there is neither a fresh answer nor a check under way. Returns a timer that
  /// expires when the caller need not wait any more; null if it need not wait at all.
  Task<Waiting> begin();
  Task<void> ask();
  void take(bool answer);

  core::Background& background_;
  const std::function<Task<bool>()> check_;
  const Times times_;
  std::mutex mutex_;
  std::vector<Waiting> waiting_;
  bool is_asking_ = false;
  bool answer_ = false;
  Clock::time_point asked_at_;
  Clock::time_point answered_at_;
};

/// The readiness of a running server.
class ServerReadiness final : public core::Readiness {
 public:
  /// The arguments must outlive this object.
  ServerReadiness(AppContext& app, core::Background& background);

  Task<Result<void>> look() override;
  /// From now on the server is not ready.
  void end() { is_ending_ = true; }

 private:
  std::atomic<bool> is_ending_ = false;
  RememberedCheck catalog_;
  RememberedCheck store_;
  const bool has_store_;  ///< Own files lie in a store of objects.
};

}  // namespace coffer::app
