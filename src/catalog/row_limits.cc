#include "catalog/row_limits.h"

#include <fmt/format.h>

#include <chrono>
#include <string>
#include <utility>

#include "sql/connection.h"

namespace coffer::catalog {

Result<void> check_rows(sql::Connection& sql, std::string_view from_where, AccountId account,
                        std::size_t most, std::string_view what) {
  const auto limit = static_cast<std::int64_t>(most);
  const auto count = sql.only<std::int64_t>(
      fmt::format("SELECT count(*) FROM (SELECT 1 AS one FROM {} LIMIT $2) AS counted", from_where),
      account, limit);
  if (count < limit) return {};
  Error error{ErrorCode::rate_limited,
              fmt::format("There are {} {} that nobody needs any more.", count, what)};
  error.retry_after = std::chrono::seconds(60);
  return std::unexpected(std::move(error));
}

void drop_beyond(sql::Connection& sql, std::string_view table, std::string_view key,
                 std::string_view order, std::size_t most) {
  sql.run(fmt::format("DELETE FROM {0} WHERE {1} IN (SELECT {1} FROM {0} ORDER BY {2} LIMIT "
                      "(SELECT CASE WHEN count(*) > $1 THEN count(*) - $1 ELSE 0 END FROM {0}))",
                      table, key, order),
          most);
}

}  // namespace coffer::catalog
