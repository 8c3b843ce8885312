#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "async/suspend.h"
#include "async/task.h"
#include "async/task_group.h"
#include "base/error.h"

namespace coffer::objects {

/// A call that runs beside its caller, who waits for it once or forgets it. The call ends in any
/// case, so it must own what it uses. Not safe for concurrent calls.
template <class T>
class Running {
 public:
  /// Starts the call on `executor`.
  Running(const asio::any_io_executor& executor, Task<Result<T>> call) {
    spawn_background(executor, carry_out(state_, std::move(call)));
  }

  /// Waits for the call, and returns its result or throws its exception.
  Task<Result<T>> wait() {
    const auto state = state_;
    co_await suspend([&](Resume resume) {
      {
        const std::lock_guard lock(state->mutex);
        if (!state->is_done) {
          state->waiting = std::move(resume);
          return;
        }
      }
      resume();
    });
    if (state->thrown) std::rethrow_exception(state->thrown);
    co_return *std::move(state->result);
  }

 private:
  struct State {
    std::mutex mutex;
    bool is_done = false;
    std::optional<Result<T>> result;
    std::exception_ptr thrown;
    Resume waiting;
  };

  static Task<void> carry_out(std::shared_ptr<State> state, Task<Result<T>> call) {
    try {
      state->result.emplace(co_await std::move(call));
    } catch (...) {
      state->thrown = std::current_exception();
    }
    Resume waiting;
    {
      const std::lock_guard lock(state->mutex);
      state->is_done = true;
      waiting = std::move(state->waiting);
    }
    if (waiting) waiting();
  }

  std::shared_ptr<State> state_ = std::make_shared<State>();
};

}  // namespace coffer::objects
