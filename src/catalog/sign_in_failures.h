#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "async/task.h"
#include "base/error.h"

namespace coffer::catalog {

class Database;

/// Sign-ins that are counted together by their subject, and how many may fail in a row before the
/// next one has to wait: a second, then twice as long each time.
struct SignInLimit {
  std::string subject;
  std::uint64_t free_failures = 0;
  std::chrono::seconds longest_wait{0};
};

/// Failed sign-ins in a row, counted in the catalog for every process. An hour without an attempt
/// forgets them. Safe from any thread.
class SignInFailures {
 public:
  explicit SignInFailures(Database& database) : database_(database) {}

  /// Counts an attempt as failed under each limit and returns zero. If one of them makes it wait,
  /// returns how long, and counts nothing.
  Task<Result<std::chrono::seconds>> begin_attempt(std::vector<SignInLimit> limits);
  /// Notes that the attempt did not fail: resets the count of `cleared`, and lowers that of `eased`
  /// by one.
  Task<Result<void>> succeeded(std::string cleared, std::string eased);

 private:
  Database& database_;
};

}  // namespace coffer::catalog
