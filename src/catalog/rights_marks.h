#pragma once

#include <cstdint>

#include "async/task.h"
#include "base/error.h"

namespace coffer::catalog {

class Database;

/// Counts of changes: of accounts, keys and sessions, and of shares and connectors.
struct RightsMark {
  std::int64_t credentials = 0;
  std::int64_t mounts = 0;

  bool operator==(const RightsMark&) const = default;
};

/// Reads the mark. Safe from any thread.
class RightsMarks {
 public:
  explicit RightsMarks(Database& database) : database_(database) {}

  /// Needs no query on SQLite, where only this process makes changes.
  Task<Result<RightsMark>> read();

 private:
  Database& database_;
};

}  // namespace coffer::catalog
