#include "catalog/spent_hashes.h"

#include <fmt/format.h>

#include <utility>

#include "base/text.h"
#include "catalog/database.h"
#include "catalog/row_limits.h"
#include "sql/connection.h"

namespace coffer::catalog {

Task<Result<bool>> SpentHashes::spend(Turn turn, SecretHash hash, Timestamp expires_at) {
  auto job = [&](sql::Connection& sql) -> Result<bool> {
    const auto text = fmt::format(
        "INSERT INTO {} (hash, expires_at) VALUES ($1, $2) ON CONFLICT (hash) DO NOTHING", table_);
    return sql.change(text, to_hex(hash), expires_at) > 0;
  };
  co_return co_await database_.run(Lane::write, turn, std::move(job));
}

Task<Result<void>> SpentHashes::forget_beyond(std::size_t most) {
  auto job = [&](sql::Connection& sql) -> Result<void> {
    sql.run(fmt::format("DELETE FROM {} WHERE expires_at <= $1", table_), now());
    drop_beyond(sql, table_, "hash", "expires_at, hash", most);
    return {};
  };
  co_return co_await database_.run(Lane::write, Turn::server(), std::move(job));
}

}  // namespace coffer::catalog
