#include "catalog/row_limits.h"

#include <fmt/format.h>
#include <soci/soci.h>

#include <chrono>
#include <string>
#include <utility>

namespace coffer::catalog {

Result<void> check_rows(soci::session& sql, std::string_view from_where, AccountId account,
                        std::size_t most, std::string_view what) {
  const auto limit = static_cast<long long>(most);
  long long count = 0;
  sql << "SELECT count(*) FROM (SELECT 1 AS one FROM " << from_where << " LIMIT :most) AS counted",
      soci::use(account.value, "account"), soci::use(limit, "most"), soci::into(count);
  if (count < limit) return {};
  Error error{ErrorCode::rate_limited,
              fmt::format("There are {} {} that nobody needs any more.", count, what)};
  error.retry_after = std::chrono::seconds(60);
  return std::unexpected(std::move(error));
}

void drop_beyond(soci::session& sql, std::string_view table, std::string_view key,
                 std::string_view order, std::size_t most) {
  long long count = 0;
  sql << "SELECT count(*) FROM " << table, soci::into(count);
  const long long excess = count - static_cast<long long>(most);
  if (excess <= 0) return;
  sql << fmt::format(
      "DELETE FROM {0} WHERE {1} IN (SELECT {1} FROM {0} ORDER BY {2} LIMIT :excess)", table, key,
      order),
      soci::use(excess, "excess");
}

}  // namespace coffer::catalog
