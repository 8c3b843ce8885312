#include "async/gate.h"

#include <utility>

namespace coffer {

Task<Gate::Pass> Gate::enter() {
  co_await suspend([this](Resume resume) {
    if (take_place(resume)) resume();
  });
  co_return Pass(*this);
}

void Gate::enter_then(std::move_only_function<void(Pass)> entered) {
  Resume resume = [this, entered = std::move(entered)]() mutable { entered(Pass(*this)); };
  if (take_place(resume)) resume();
}

bool Gate::take_place(Resume& waiting) {
  const std::lock_guard lock(mutex_);
  if (free_ > 0) {
    --free_;
    return true;
  }
  waiting_.push_back(std::move(waiting));
  return false;
}

/// Passes the place on to the one that has waited longest.
void Gate::leave() {
  Resume next;
  {
    const std::lock_guard lock(mutex_);
    if (waiting_.empty()) {
      ++free_;
      return;
    }
    next = std::move(waiting_.front());
    waiting_.pop_front();
  }
  next();
}

}  // namespace coffer
