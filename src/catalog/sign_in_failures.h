#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "async/task.h"
#include "base/error.h"

namespace coffer::catalog {

class Database;

/// A limit for sign-ins with the same subject. After `free_failures` failures in a row the next one
/// has to wait: a second, then twice as long each time.
struct SignInLimit {
  std::string subject;
  std::uint64_t free_failures = 0;
  std::chrono::seconds longest_wait{0};
};

/// Counts failed sign-ins in a row in the catalog, for all processes. The counts end after an hour
/// without an attempt. Safe from any thread.
class SignInFailures {
 public:
  explicit SignInFailures(Database& database) : database_(database) {}

  /// Counts an attempt as failed under each limit and returns zero; or, if a limit makes it wait,
  /// counts nothing and returns the time to wait.
  Task<Result<std::chrono::seconds>> begin_attempt(std::vector<SignInLimit> limits);
  /// Records a success: resets the count of `cleared` and reduces that of `eased` by one.
  Task<Result<void>> succeeded(std::string cleared, std::string eased);

 private:
  Database& database_;
};

}  // namespace coffer::catalog
