#pragma once

#include <cstdint>

#include "async/task.h"
#include "base/error.h"

namespace coffer::catalog {

class Database;

/// Changes when an account, a key or a session is changed, or a share or a connector.
struct RightsMark {
  std::int64_t credentials = 0;
  std::int64_t mounts = 0;

  bool operator==(const RightsMark&) const = default;
};

/// Reads the mark, for a caller that asks every second. Safe from any thread.
class RightsMarks {
 public:
  explicit RightsMarks(Database& database) : database_(database) {}

  /// On SQLite, where this process alone makes changes, without a query.
  Task<Result<RightsMark>> read();

 private:
  Database& database_;
};

}  // namespace coffer::catalog
