#include "catalog/bin.h"

#include <fmt/format.h>

#include <cstdint>
#include <tuple>
#include <utility>

#include "catalog/account_rows.h"
#include "catalog/database.h"
#include "catalog/runs.h"
#include "sql/connection.h"
#include "sql/table.h"

namespace coffer::sql {

template <>
struct Table<catalog::BinItem> {
  using R = catalog::BinItem;
  static constexpr std::string_view kName = "bin_items";
  static constexpr auto kColumns = std::tuple{
      Column{"id", &R::id},
      Column{"account_id", &R::account},
      Column{"place", &R::place},
      Column{"path", &R::path},
      Column{"is_folder", &R::is_folder},
      Column{"size_bytes", &R::size_bytes},
      Column{"deleted_at", &R::deleted_at},
      Column{"state", &R::state},
      Column{"leads_to", &R::leads_to},
  };
};

}  // namespace coffer::sql

namespace coffer::catalog {
namespace {

std::string select(std::string_view condition) {
  return "SELECT " + sql::columns<BinItem>("b.") + " FROM bin_items b WHERE " +
         std::string(condition);
}

}  // namespace

void drop_bin_of(sql::Connection& sql, const Path& mount) {
  sql.run("DELETE FROM bin_items WHERE place = $1", mount);
}

Task<Result<void>> Bin::add(BinItem item) {
  item.state = BinState::open;
  item.size_bytes.reset();  // Known to `keep`.
  auto job = [&](sql::Connection& sql) -> Result<void> {
    if (name_of(sql, item.account.value()).empty()) return no_such_account();
    sql::run_insert(sql, item);
    sql.run("UPDATE bin_items SET run = $1 WHERE id = $2", database_.node(), item.id);
    return {};
  };
  co_return co_await database_.run(Lane::write, item.account.value(), std::move(job));
}

Task<Result<void>> Bin::keep(Turn turn, BinItemId id, bool is_folder,
                             std::optional<std::uint64_t> size_bytes) {
  auto job = [&](sql::Connection& sql) -> Result<void> {
    sql.run(
        "UPDATE bin_items SET state = 'kept', is_folder = $1, size_bytes = $2 "
        "WHERE id = $3 AND state = 'open'",
        is_folder, size_bytes, id);
    return {};
  };
  co_return co_await database_.run(Lane::write, turn, std::move(job));
}

Task<Result<bool>> Bin::claim(Turn turn, BinItemId id, BinState state) {
  auto job = [&](sql::Connection& sql) -> Result<bool> {
    return sql.change("UPDATE bin_items SET state = $1, run = $3 WHERE id = $2 AND state = 'kept'",
                      state, id, database_.node()) > 0;
  };
  co_return co_await database_.run(Lane::write, turn, std::move(job));
}

Task<Result<void>> Bin::release(Turn turn, BinItemId id) {
  auto job = [&](sql::Connection& sql) -> Result<void> {
    sql.run("UPDATE bin_items SET state = 'kept' WHERE id = $1", id);
    return {};
  };
  co_return co_await database_.run(Lane::write, turn, std::move(job));
}

Task<Result<void>> Bin::drop(Turn turn, BinItemId id) {
  auto job = [&](sql::Connection& sql) -> Result<void> {
    sql.run("DELETE FROM bin_items WHERE id = $1", id);
    return {};
  };
  co_return co_await database_.run(Lane::write, turn, std::move(job));
}

Task<Result<BinItem>> Bin::find(AccountId account, BinItemId id) {
  auto job = [&](sql::Connection& sql) -> Result<BinItem> {
    auto item = sql::select_first<BinItem>(
        sql, select("b.id = $1 AND b.account_id = $2 AND b.state = 'kept'"), id, account);
    if (!item) return fail(ErrorCode::not_found, "There is no such item in the bin.");
    return *std::move(item);
  };
  co_return co_await database_.run(Lane::read, account, std::move(job));
}

Task<Result<std::vector<BinItem>>> Bin::list(AccountId account, std::optional<Position> after,
                                             std::size_t most) {
  auto job = [&](sql::Connection& sql) -> Result<std::vector<BinItem>> {
    const Timestamp at = after ? after->at : Timestamp::max();
    const std::string id = after ? after->id : std::string();
    const std::string text = select(
        "b.account_id = $1 AND b.state = 'kept' AND "
        "(b.deleted_at < $2 OR (b.deleted_at = $2 AND b.id < $3)) "
        "ORDER BY b.deleted_at DESC, b.id DESC LIMIT $4");
    return sql::select<BinItem>(sql, text, account, at, id, most);
  };
  co_return co_await database_.run(Lane::read, account, std::move(job));
}

Task<Result<std::size_t>> Bin::count(AccountId account, std::size_t most) {
  auto job = [=](sql::Connection& sql) -> Result<std::size_t> {
    return sql.only<std::size_t>(
        "SELECT count(*) FROM (SELECT 1 AS one FROM bin_items WHERE account_id = $1 LIMIT $2) "
        "AS counted",
        account, most);
  };
  co_return co_await database_.run(Lane::read, account, std::move(job));
}

Task<Result<std::vector<BinItem>>> Bin::list_own(AccountId account) {
  auto job = [account](sql::Connection& sql) -> Result<std::vector<BinItem>> {
    static const std::string kText = select(
        "b.account_id = $1 AND b.state = 'kept' AND b.place = '' ORDER BY b.deleted_at, b.id");
    return sql::select<BinItem>(sql, kText, account);
  };
  co_return co_await database_.run(Lane::read, account, std::move(job));
}

/// The condition's only parameter is `$2`. Mostly there is nothing to look after.
template <class... A>
Task<Result<std::vector<BinItem>>> Bin::look_after(std::string_view condition, Turn turn,
                                                   A... arguments) {
  const std::string& node = database_.node();
  const std::string whole = fmt::format("{} AND {}", condition, kIsOfNoOtherRun);
  auto look = [&](sql::Connection& sql) -> Result<bool> {
    return sql.first("SELECT 1 FROM bin_items WHERE " + whole + " LIMIT 1", node, arguments...)
        .has_value();
  };
  CO_TRY(const bool has_any, co_await database_.run(Lane::read, turn, std::move(look)));
  if (!has_any) co_return std::vector<BinItem>();
  auto job = [&](sql::Connection& sql) -> Result<std::vector<BinItem>> {
    sql.run("UPDATE bin_items SET run = $1 WHERE run <> $1 AND " + whole, node, arguments...);
    const std::string ours = fmt::format("run = $1 AND {} ORDER BY deleted_at, id", condition);
    return sql::select<BinItem>(sql, select(ours), node, arguments...);
  };
  co_return co_await database_.run(Lane::write, turn, std::move(job));
}

Task<Result<std::vector<BinItem>>> Bin::unfinished() {
  return look_after("state <> 'kept'", Turn::server());
}

Task<Result<std::vector<BinItem>>> Bin::unfinished(AccountId account) {
  return look_after("state <> 'kept' AND account_id = $2", account, account);
}

Task<Result<std::optional<BinState>>> Bin::state_of(Turn turn, BinItemId id) {
  auto job = [&](sql::Connection& sql) -> Result<std::optional<BinState>> {
    return sql.value<BinState>("SELECT state FROM bin_items WHERE id = $1", id);
  };
  co_return co_await database_.run(Lane::read, turn, std::move(job));
}

Task<Result<std::vector<BinItem>>> Bin::due(Timestamp before) {
  auto job = [before](sql::Connection& sql) -> Result<std::vector<BinItem>> {
    const std::string text = select(
        "b.state = 'kept' AND (b.deleted_at < $1 OR b.account_id IS NULL) "
        "ORDER BY b.deleted_at, b.id");
    return sql::select<BinItem>(sql, text, before);
  };
  co_return co_await database_.run(Lane::read, Turn::server(), std::move(job));
}

}  // namespace coffer::catalog
