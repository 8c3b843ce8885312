#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "async/suspend.h"
#include "async/task.h"
#include "base/error.h"
#include "catalog/catalog.h"
#include "core/sessions/password_queue.h"

namespace coffer::core {

/// Returns the error for one who has guessed too often and must wait: `rate_limited`.
Error too_many_failures(std::chrono::seconds wait);

/// Checks passwords, and slows down guessing: counts the failures of each subject in the catalog. A
/// check counts as failed from its beginning until its password has proved right, so that many
/// guesses at once get no further than one after the other. A check that is over a limit while
/// others of the same subject are under way here waits for their results, so that right passwords
/// never count as failed. Safe from any thread.
class PasswordChecks {
 public:
  explicit PasswordChecks(catalog::Catalog& catalog) : failures_(catalog.sign_in_failures()) {}

  struct Question {
    std::vector<catalog::SignInLimit> cleared;  ///< A right password resets these counts,
    std::vector<catalog::SignInLimit> eased;    ///< and takes back only itself from these.
    std::string password;
    std::string hash;  ///< Empty: matches no password, after the same time.
  };
  /// Returns true if the password matches; `rate_limited` after too many failures. Uses `place`,
  /// which the caller got from the queue before.
  Task<Result<bool>> check(PasswordQueue::Place& place, Question question);
  /// The same for a password that another place is asked for: `ask` returns true if it is right.
  /// The hash and the password of the question are not looked at. If `ask` fails, so does this, and
  /// nothing is counted.
  Task<Result<bool>> check_by(Question question, std::function<Task<Result<bool>>()> ask);

 private:
  using Limits = std::vector<catalog::SignInLimit>;
  /// A check that was refused, and waits until one of the same subject ends.
  struct Waiter {
    Resume resume;
    const Limits* limits;
    bool* may_ask;  ///< Set before `resume`: true if the check may ask the catalog again.
  };
  /// The checks of one subject.
  struct Pending {
    std::size_t active = 0;  ///< Those that ask the catalog, or that it let begin.
    std::deque<Waiter> waiting = {};
  };
  class Turn;

  void enter(const Limits& limits);
  void leave(const Limits& limits);
  void wait(const std::string& refusing, Waiter waiter);
  void remove_active(const Limits& limits);
  void resume_one(const std::string& subject);
  void refuse_all(const std::string& subject);
  void forget_idle(const Limits& limits);

  catalog::SignInFailures& failures_;
  std::mutex mutex_;
  std::map<std::string, Pending, std::less<>> pending_;
};

}  // namespace coffer::core
