#include "catalog/rights_marks.h"

#include "catalog/database.h"
#include "catalog/generation.h"
#include "sql/connection.h"

namespace coffer::catalog {

Task<Result<RightsMark>> RightsMarks::read() {
  const auto auth_now = database_.stamp(Generation::auth);
  const auto mounts_now = database_.stamp(Generation::mounts);
  if (auth_now && mounts_now) {
    co_return RightsMark{static_cast<std::int64_t>(*auth_now),
                         static_cast<std::int64_t>(*mounts_now)};
  }
  auto job = [](sql::Connection& sql) -> Result<RightsMark> {
    const auto [auth, mounts, locks] = current(sql);
    static_cast<void>(locks);  // No right.
    return RightsMark{auth, mounts};
  };
  co_return co_await database_.run(Lane::read, Turn::server(), std::move(job));
}

}  // namespace coffer::catalog
