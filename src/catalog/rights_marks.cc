#include "catalog/rights_marks.h"

#include "catalog/database.h"
#include "catalog/generation.h"
#include "sql/connection.h"

namespace coffer::catalog {

Task<Result<RightsMark>> RightsMarks::read() {
  if (database_.is_sqlite()) {
    co_return RightsMark{static_cast<std::int64_t>(database_.changes(Generation::auth)),
                         static_cast<std::int64_t>(database_.changes(Generation::mounts))};
  }
  auto job = [](sql::Connection& sql) -> Result<RightsMark> {
    const auto [auth, mounts] = current(sql);
    return RightsMark{auth, mounts};
  };
  co_return co_await database_.run(Lane::read, Turn::server(), std::move(job));
}

}  // namespace coffer::catalog
