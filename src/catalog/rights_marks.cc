#include "catalog/rights_marks.h"

#include <soci/soci.h>

#include "catalog/database.h"
#include "catalog/generation.h"

namespace coffer::catalog {

Task<Result<RightsMark>> RightsMarks::read() {
  // Before the rows are read, so that it is never newer than they.
  const WalStamp stamp = database_.is_sqlite() ? database_.stamp() : WalStamp{};
  if (database_.is_sqlite() && stamp == stamp_) co_return last_;
  auto job = [](soci::session& sql) -> Result<RightsMark> {
    return RightsMark{current(sql, Generation::auth), current(sql, Generation::mounts)};
  };
  const auto mark = co_await database_.run(Lane::read, std::move(job));
  if (!mark) co_return mark;
  last_ = *mark;
  stamp_ = stamp;
  co_return mark;
}

}  // namespace coffer::catalog
