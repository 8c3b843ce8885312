#include "catalog/home_moves.h"

#include <fmt/format.h>

#include <tuple>

#include "catalog/account_rows.h"
#include "catalog/audit.h"
#include "catalog/database.h"
#include "catalog/generation.h"
#include "sql/table.h"

namespace coffer::sql {

template <>
struct Table<catalog::HomeMove> {
  using Move = catalog::HomeMove;
  static constexpr std::string_view kName = "home_moves";
  static constexpr auto kColumns =
      std::tuple{Column{"account_id", &Move::account}, Column{"home", &Move::home},
                 Column{"target", &Move::target}, Column{"phase", &Move::phase},
                 Column{"begun_at", &Move::begun_at}};
};

}  // namespace coffer::sql

namespace coffer::catalog {
namespace {

const std::string kSelectMoves = "SELECT " + sql::columns<HomeMove>() + " FROM home_moves ";

}  // namespace

Task<Result<void>> HomeMoves::begin(AccountId account, HomeStore target) {
  auto job = [&](sql::Connection& sql) -> Result<void> {
    const auto home = sql.value<std::string>("SELECT home FROM accounts WHERE id = $1", account);
    if (!home) return no_such_account();
    const HomeMove move{account, *home, target, HomeMovePhase::copying, now()};
    if (sql::insert(sql, move, "ON CONFLICT (account_id) DO NOTHING") == 0) {
      return fail(ErrorCode::exists, "A move of the account's files has begun already.");
    }
    return {};
  };
  co_return co_await database_.run(Lane::write, Turn::administration(), std::move(job));
}

Task<Result<void>> HomeMoves::switch_over(AccountId account, HomeStore target) {
  auto job = [&](sql::Connection& sql) -> Result<void> {
    bump(sql, Generation::auth);
    const auto switched = sql.change(
        "UPDATE home_moves SET phase = $1 WHERE account_id = $2 AND target = $3 AND phase = $4",
        HomeMovePhase::clearing, account, target, HomeMovePhase::copying);
    const auto changed =
        sql.change("UPDATE accounts SET home_store = $1 WHERE id = $2", target, account);
    if (switched == 0 || changed == 0) {
      return fail(ErrorCode::conflict, "The account's files are not being moved any more.");
    }
    // Who counts the files in the old place now may not correct the figure (Ledger::correct).
    sql.run("UPDATE quota_usage SET version = version + 1 WHERE account_id = $1", account);
    note(sql, AuditKind::account_changed, {}, name_of(sql, account),
         fmt::format("home={}", word_of(target)));
    return {};
  };
  co_return co_await database_.run(Lane::write, Turn::administration(), std::move(job));
}

Task<Result<void>> HomeMoves::end(AccountId account) {
  auto job = [&](sql::Connection& sql) -> Result<void> {
    sql.run("DELETE FROM home_moves WHERE account_id = $1", account);
    return {};
  };
  co_return co_await database_.run(Lane::write, Turn::administration(), std::move(job));
}

Task<Result<std::optional<HomeMove>>> HomeMoves::find(AccountId account) {
  auto job = [&](sql::Connection& sql) -> Result<std::optional<HomeMove>> {
    return sql::select_first<HomeMove>(sql, kSelectMoves + "WHERE account_id = $1", account);
  };
  co_return co_await database_.run(Lane::read, Turn::administration(), std::move(job));
}

Task<Result<std::optional<HomeMove>>> HomeMoves::find_settled(AccountId account) {
  auto job = [&](sql::Connection& sql) -> Result<std::optional<HomeMove>> {
    const std::string_view waits = sql.is_sqlite() ? "" : " FOR UPDATE";
    return sql::select_first<HomeMove>(
        sql, fmt::format("{}WHERE account_id = $1{}", kSelectMoves, waits), account);
  };
  co_return co_await database_.run(Lane::write, Turn::administration(), std::move(job));
}

Task<Result<std::vector<HomeMove>>> HomeMoves::list() {
  auto job = [](sql::Connection& sql) -> Result<std::vector<HomeMove>> {
    return sql::select<HomeMove>(sql, kSelectMoves + "ORDER BY begun_at");
  };
  co_return co_await database_.run(Lane::read, Turn::administration(), std::move(job));
}

}  // namespace coffer::catalog
