#include "core/sessions/password_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace coffer::core {
namespace {

using namespace std::chrono_literals;

std::vector<std::string> subjects_of(const std::vector<catalog::SignInLimit>& limits) {
  std::vector<std::string> subjects;
  for (const catalog::SignInLimit& limit : limits) subjects.push_back(limit.subject);
  return subjects;
}

}  // namespace

Error too_many_failures(std::chrono::seconds wait) {
  Error error{ErrorCode::rate_limited,
              fmt::format("Too many sign-ins failed: try again in {} s.", wait.count())};
  error.retry_after = wait;
  return error;
}

/// One check, which is active but while it waits.
class PasswordChecks::Turn {
 public:
  Turn(PasswordChecks& checks, const Limits& limits) : checks_(checks), limits_(limits) {
    checks_.enter(limits_);
  }
  ~Turn() {
    if (is_active_) checks_.leave(limits_);
  }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

  /// Begins the check; `rate_limited` if a limit refuses it and no check that is active here can
  /// change that.
  Task<Result<void>> begin() {
    for (;;) {
      CO_TRY(const auto wait, co_await checks_.failures_.begin_attempt(limits_));
      if (wait.time == 0s) co_return Result<void>{};
      is_active_ = false;
      co_await suspend([&](Resume resume) {
        checks_.wait(wait.subject, {std::move(resume), &limits_, &is_active_});
      });
      if (!is_active_) co_return std::unexpected(too_many_failures(wait.time));
    }
  }

 private:
  PasswordChecks& checks_;
  const Limits& limits_;
  bool is_active_ = true;
};

Task<Result<bool>> PasswordChecks::check(PasswordQueue::Place& place, Question question) {
  Limits limits = question.cleared;
  std::ranges::copy(question.eased, std::back_inserter(limits));
  Turn turn(*this, limits);
  CO_TRY_VOID(co_await turn.begin());
  const bool matches =
      co_await place.matches(std::move(question.password), std::move(question.hash));
  if (!matches) co_return false;
  CO_TRY_VOID(
      co_await failures_.succeeded(subjects_of(question.cleared), subjects_of(question.eased)));
  co_return true;
}

Task<Result<bool>> PasswordChecks::check_by(Question question,
                                            std::function<Task<Result<bool>>()> ask) {
  Limits limits = question.cleared;
  std::ranges::copy(question.eased, std::back_inserter(limits));
  Turn turn(*this, limits);
  CO_TRY_VOID(co_await turn.begin());
  const auto is_right = co_await ask();
  if (is_right && !*is_right) co_return false;
  std::vector<std::string> cleared;
  std::vector<std::string> eased = subjects_of(limits);
  if (is_right) {
    cleared = subjects_of(question.cleared);
    eased = subjects_of(question.eased);
  }
  CO_TRY_VOID(co_await failures_.succeeded(std::move(cleared), std::move(eased)));
  co_return is_right;
}

void PasswordChecks::enter(const Limits& limits) {
  const std::lock_guard lock(mutex_);
  for (const catalog::SignInLimit& limit : limits) ++pending_[limit.subject].active;
}

/// Lets one waiter of each subject ask again: the result of the check that leaves may let it begin.
void PasswordChecks::leave(const Limits& limits) {
  const std::lock_guard lock(mutex_);
  remove_active(limits);
  for (const catalog::SignInLimit& limit : limits) resume_one(limit.subject);
  forget_idle(limits);
}

/// Without an active check of the subject that refuses, nobody is left who could resume a waiter.
void PasswordChecks::wait(const std::string& refusing, Waiter waiter) {
  const std::lock_guard lock(mutex_);
  const Limits limits = *waiter.limits;  // The waiter may be gone after it was resumed.
  pending_[refusing].waiting.push_back(std::move(waiter));
  remove_active(limits);
  if (pending_[refusing].active == 0) refuse_all(refusing);
  for (const catalog::SignInLimit& limit : limits) {
    if (pending_[limit.subject].active == 0) resume_one(limit.subject);
  }
  forget_idle(limits);
}

void PasswordChecks::remove_active(const Limits& limits) {
  for (const catalog::SignInLimit& limit : limits) --pending_[limit.subject].active;
}

void PasswordChecks::resume_one(const std::string& subject) {
  Pending& pending = pending_[subject];
  if (pending.waiting.empty()) return;
  Waiter next = std::move(pending.waiting.front());
  pending.waiting.pop_front();
  for (const catalog::SignInLimit& limit : *next.limits) ++pending_[limit.subject].active;
  *next.may_ask = true;
  next.resume();
}

void PasswordChecks::refuse_all(const std::string& subject) {
  for (Waiter& waiter : std::exchange(pending_[subject].waiting, {})) waiter.resume();
}

void PasswordChecks::forget_idle(const Limits& limits) {
  for (const catalog::SignInLimit& limit : limits) {
    const auto found = pending_.find(limit.subject);
    if (found != pending_.end() && found->second.active == 0 && found->second.waiting.empty()) {
      pending_.erase(found);
    }
  }
}

}  // namespace coffer::core
