#pragma once

#include <cstdint>

#include "async/task.h"
#include "base/error.h"
#include "catalog/wal_stamp.h"

namespace coffer::catalog {

class Database;

/// How often what rights stand on was changed: another mark once any process changed an account, a
/// key or a session, or a share or a connector.
struct RightsMark {
  std::int64_t credentials = 0;
  std::int64_t mounts = 0;

  bool operator==(const RightsMark&) const = default;
};

/// Reads the mark, for one that looks again and again. One call at a time.
class RightsMarks {
 public:
  explicit RightsMarks(Database& database) : database_(database) {}

  /// On SQLite it asks nothing while nothing was committed.
  Task<Result<RightsMark>> read();

 private:
  Database& database_;
  WalStamp stamp_{};
  RightsMark last_;
};

}  // namespace coffer::catalog
