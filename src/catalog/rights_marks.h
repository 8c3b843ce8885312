#pragma once

#include <cstdint>

#include "async/task.h"
#include "base/error.h"

namespace coffer::catalog {

class Database;

/// Counters of changes of rights. Two equal marks mean that no right changed in the meantime.
struct RightsMark {
  std::int64_t credentials = 0;  ///< Changes of accounts, keys, links and sessions.
  std::int64_t mounts = 0;       ///< Changes of shares and connectors.

  bool operator==(const RightsMark&) const = default;
};

/// Reads the current mark from the catalog. Safe from any thread.
class RightsMarks {
 public:
  explicit RightsMarks(Database& database) : database_(database) {}

  /// Returns the current mark. Needs no query while the generations are known (Database::stamp).
  Task<Result<RightsMark>> read();

 private:
  Database& database_;
};

}  // namespace coffer::catalog
