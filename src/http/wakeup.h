#pragma once

#include <utility>

#include "async/suspend.h"

namespace coffer::http {

/// Lets one coroutine wait until others on its thread wake it. A wake-up that comes first is kept
/// for the next wait, so that none is lost; the waiting coroutine must look again why it woke.
class Wakeup {
 public:
  Task<void> wait() {
    if (!std::exchange(is_due_, false)) {
      co_await suspend([this](Resume resume) { waiting_ = std::move(resume); });
    }
  }
  /// Resumes the waiting coroutine, after the caller has returned to the thread's loop.
  void wake() {
    if (waiting_) {
      std::exchange(waiting_, nullptr)();
    } else {
      is_due_ = true;
    }
  }

 private:
  Resume waiting_;
  bool is_due_ = false;
};

}  // namespace coffer::http
