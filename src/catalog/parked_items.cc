#include "catalog/parked_items.h"

#include <string_view>
#include <tuple>
#include <utility>

#include "catalog/database.h"
#include "catalog/row_limits.h"
#include "catalog/runs.h"
#include "sql/connection.h"
#include "sql/table.h"

namespace coffer::sql {

template <>
struct Table<catalog::ParkedItem> {
  using R = catalog::ParkedItem;
  static constexpr std::string_view kName = "parked_items";
  static constexpr auto kColumns = std::tuple{
      Column{"id", &R::id},
      Column{"account_id", &R::account},
      Column{"path", &R::path},
      Column{"parked_name", &R::parked_name},
      Column{"leads_to", &R::leads_to},
      Column{"copy_path", &R::copy_path},
      Column{"copy_leads_to", &R::copy_leads_to},
      Column{"copied", &R::copied},
      Column{"is_leaving", &R::is_leaving},
      Column{"boot", &R::boot},
  };
};

}  // namespace coffer::sql

namespace coffer::catalog {

Task<Result<void>> ParkedItems::add(ParkedItem item) {
  item.is_leaving = false;  // `leave` sets it.
  auto job = [&](sql::Connection& sql) -> Result<void> {
    auto fits = check_rows(sql, "parked_items WHERE account_id = $1", item.account,
                           kMostParkedItems, "moves that were cut off");
    if (!fits) {
      fits.error().message =
          "Too many moves of this account were cut off, and wait until their servers answer.";
      return fits;
    }
    sql::run_insert(sql, item);
    sql.run("UPDATE parked_items SET run = $1 WHERE id = $2", database_.node(), item.id);
    return {};
  };
  co_return co_await database_.run(Lane::write, Turn::of_change(item.account), std::move(job));
}

Task<Result<void>> ParkedItems::leave(std::string id) {
  auto job = [&](sql::Connection& sql) -> Result<void> {
    sql.run("UPDATE parked_items SET is_leaving = 1 WHERE id = $1", id);
    return {};
  };
  co_return co_await database_.run(Lane::write, Turn::server(), std::move(job));
}

Task<Result<void>> ParkedItems::drop(std::string id) {
  auto job = [&](sql::Connection& sql) -> Result<void> {
    sql.run("DELETE FROM parked_items WHERE id = $1", id);
    return {};
  };
  co_return co_await database_.run(Lane::ordered, Turn::server(), std::move(job));
}

Task<Result<std::optional<ParkedItem>>> ParkedItems::find(std::string id) {
  auto job = [&](sql::Connection& sql) -> Result<std::optional<ParkedItem>> {
    const std::string text =
        "SELECT " + sql::columns<ParkedItem>() + " FROM parked_items WHERE id = $1";
    return sql::select_first<ParkedItem>(sql, text, id);
  };
  co_return co_await database_.run(Lane::read, Turn::server(), std::move(job));
}

Task<Result<std::vector<ParkedItem>>> ParkedItems::all() {
  auto job = [this](sql::Connection& sql) -> Result<std::vector<ParkedItem>> {
    static const std::string kText =
        "SELECT " + sql::columns<ParkedItem>() + " FROM parked_items WHERE run = $1 ORDER BY id";
    sql.run("UPDATE parked_items SET run = $1 WHERE run <> $1 AND " + std::string(kIsOfNoOtherRun),
            database_.node());
    return sql::select<ParkedItem>(sql, kText, database_.node());
  };
  co_return co_await database_.run(Lane::write, Turn::server(), std::move(job));
}

}  // namespace coffer::catalog
