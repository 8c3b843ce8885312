#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "async/task.h"
#include "base/error.h"
#include "catalog/row_limits.h"

namespace coffer::catalog {

class Database;

/// A limit for sign-ins with the same subject, such as an account or an address. After
/// `free_failures` failures in a row, the next attempt is refused for a second. Each further
/// failure doubles this time, up to `longest_wait`.
struct SignInLimit {
  std::string subject;
  std::uint64_t free_failures = 0;
  std::chrono::seconds longest_wait{0};
};

/// The answer to an attempt: the time to wait, and the subject of the limit that asks for it.
struct SignInWait {
  std::chrono::seconds time{0};
  std::string subject = {};
};

/// Counts the consecutive failed sign-ins of each subject, for all processes that use the catalog.
/// A count is forgotten after an hour without a counted attempt. Safe from any thread.
class SignInFailures {
 public:
  explicit SignInFailures(Database& database) : database_(database) {}

  /// Begins an attempt. If a limit refuses the attempt now, counts nothing and returns the longest
  /// time to wait. Otherwise counts a failure for the subject of each limit and returns zero. If
  /// the sign-in then succeeds, call `succeeded`, which corrects these counts. Both calls take the
  /// turn (see Turn) of their last subject, so name the address last. There must be a limit.
  Task<Result<SignInWait>> begin_attempt(std::vector<SignInLimit> limits);
  /// Forgets the subjects with the fewest failures, so that at most `most` are left.
  Task<Result<void>> forget_beyond(std::size_t most = kMostSignInSubjects);
  /// Records a success: resets the counts of the subjects `cleared`, and reduces those of the
  /// subjects `eased` by one.
  Task<Result<void>> succeeded(std::vector<std::string> cleared, std::vector<std::string> eased);

 private:
  Database& database_;
};

}  // namespace coffer::catalog
