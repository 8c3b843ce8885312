#include "catalog/shares.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include "base/random.h"
#include "catalog/account_rows.h"
#include "catalog/audit.h"
#include "catalog/bin.h"
#include "catalog/database.h"
#include "catalog/generation.h"
#include "catalog/mount_paths.h"
#include "catalog/mount_rows.h"
#include "catalog/scoped_keys.h"
#include "catalog/shared_work.h"
#include "sql/connection.h"
#include "sql/table.h"

namespace coffer::catalog {
namespace {

/// Returns a SELECT of shares and their accounts, as `collect` reads them. One statement for both,
/// since on PostgreSQL each sees a snapshot of its own.
std::string shares_where(std::string_view condition) {
  return "SELECT " + sql::columns<Share>("s.") +
         ", a.account_id FROM shares s LEFT JOIN share_accounts a ON a.share_id = s.id " +
         std::string(condition) + " ORDER BY s.id, a.account_id";
}

// A share has as many rows as accounts, at least one.
std::vector<Share> collect(const std::vector<sql::Row>& rows) {
  std::vector<Share> shares;
  for (const sql::Row& row : rows) {
    auto share = sql::read<Share>(row);
    if (shares.empty() || shares.back().id != share.id) shares.push_back(std::move(share));
    const auto account = row.get<std::optional<AccountId>>(sql::kColumnCount<Share>);
    if (account) shares.back().accounts.push_back(*account);
  }
  return shares;
}

Result<Share> select_by_id(sql::Connection& sql, const ShareId& id) {
  auto shares = collect(sql.query(shares_where("WHERE s.id = $1"), id));
  if (shares.empty()) return fail(ErrorCode::not_found, "There is no such shared folder.");
  return std::move(shares.front());
}

bool is_taken(sql::Connection& sql, const Share& share) {
  const auto count = sql.only<std::int64_t>(
      "SELECT count(*) FROM shares WHERE name = $1 AND id <> $2", share.name, share.id);
  return count > 0;
}

void store_share(sql::Connection& sql, const Share& share) {
  sql.run(
      "INSERT INTO shares (id, name, description, target, read_only, everyone, created_at, "
      "is_resolved) VALUES ($1, $2, $3, $4, $5, $6, $7, 1) ON CONFLICT (id) DO UPDATE SET name = "
      "excluded.name, description = excluded.description, target = excluded.target, read_only = "
      "excluded.read_only, everyone = excluded.everyone, is_resolved = CASE WHEN shares.target = "
      "excluded.target THEN shares.is_resolved ELSE 1 END",
      share.id, share.name, share.description, share.target, share.read_only, share.everyone,
      share.created_at);
}

Result<void> store_accounts(sql::Connection& sql, const Share& share) {
  sql.run("DELETE FROM share_accounts WHERE share_id = $1", share.id);
  if (share.accounts.empty()) return {};
  for (const AccountId account : share.accounts) {
    sql.run(
        "INSERT INTO share_accounts (share_id, account_id) SELECT $1, id FROM accounts "
        "WHERE id = $2",
        share.id, account);
  }
  const auto stored =
      sql.only<std::int64_t>("SELECT count(*) FROM share_accounts WHERE share_id = $1", share.id);
  if (std::cmp_less(stored, share.accounts.size())) return no_such_account();
  return {};
}

// Call it in a transaction that bumped the generation, so that no other changes shares.
Result<Share> store(sql::Connection& sql, Share share) {
  if (share.everyone) share.accounts.clear();
  std::ranges::sort(share.accounts);
  const auto doubles = std::ranges::unique(share.accounts);
  share.accounts.erase(doubles.begin(), doubles.end());
  if (is_taken(sql, share)) {
    return fail(ErrorCode::exists, "A shared folder with this name exists already.");
  }
  store_share(sql, share);
  TRY_VOID(store_accounts(sql, share));
  return share;
}

void apply(ShareChange& change, Share& share) {
  if (change.name) share.name = std::move(*change.name);
  if (change.description) share.description = std::move(*change.description);
  if (change.target) share.target = std::move(*change.target);
  if (change.read_only) share.read_only = *change.read_only;
  if (change.everyone) share.everyone = *change.everyone;
  if (change.accounts) share.accounts = std::move(*change.accounts);
  std::ranges::copy(change.added_accounts, std::back_inserter(share.accounts));
  std::erase_if(share.accounts, [&](AccountId account) {
    return std::ranges::find(change.removed_accounts, account) != change.removed_accounts.end();
  });
}

Result<void> check_accounts(const ShareChange& change, const Share& share) {
  if (share.everyone && !change.added_accounts.empty()) {
    return fail(ErrorCode::invalid,
                "Everyone sees this share: to keep it to named accounts, set everyone to false "
                "(--no-everyone).");
  }
  const bool takes_away = change.everyone == false || !change.removed_accounts.empty();
  if (share.everyone || !takes_away || !share.accounts.empty()) return {};
  return fail(ErrorCode::invalid, "A share needs accounts to see it, or everyone.");
}

void forget_mark(sql::Connection& sql, const ShareId& id) {
  sql.run("DELETE FROM shared_facts WHERE name = $1", mark_fact_of(id));
}

}  // namespace

Task<Result<Share>> Shares::create(NewShare share) {
  auto job = [&](sql::Connection& sql) -> Result<Share> {
    TRY(const auto actor, begin_change(sql, share.asker));
    auto made =
        store(sql, Share{ShareId{random_hex(16)}, share.name, share.description, share.target,
                         share.read_only, share.everyone, share.accounts, now()});
    if (made) note(sql, AuditKind::share_created, actor, made->name, made->target);
    return made;
  };
  co_return co_await database_.run(Lane::write, Turn::administration(), std::move(job));
}

Task<Result<std::vector<Share>>> Shares::list() {
  auto job = [](sql::Connection& sql) -> Result<std::vector<Share>> {
    auto shares = collect(sql.query(shares_where({})));
    std::ranges::sort(shares, {}, &Share::name);
    return shares;
  };
  co_return co_await database_.run(Lane::read, Turn::administration(), std::move(job));
}

Task<Result<Share>> Shares::find(ShareId id) {
  auto job = [&](sql::Connection& sql) { return select_by_id(sql, id); };
  co_return co_await database_.run(Lane::read, Turn::of(id.value), std::move(job));
}

Task<Result<Share>> Shares::set(ShareId id, ShareChange change) {
  auto job = [&](sql::Connection& sql) -> Result<Share> {
    if (change.target && !change.asker) bump(sql, Generation::auth);
    TRY(const auto actor, begin_change(sql, change.asker));
    TRY(auto share, select_by_id(sql, id));
    const std::string before = share.target;
    apply(change, share);
    TRY_VOID(check_accounts(change, share));
    if (share.target != before) erase_scoped(sql, AccountId{}, top_of(id));
    if (change.target) forget_mark(sql, id);
    auto stored = store(sql, std::move(share));
    if (stored) note(sql, AuditKind::share_changed, actor, stored->name, stored->target);
    return stored;
  };
  co_return co_await database_.run(Lane::write, Turn::administration(), std::move(job));
}

Task<Result<std::vector<Share>>> Shares::unresolved() {
  auto job = [](sql::Connection& sql) -> Result<std::vector<Share>> {
    return sql::select<Share>(
        sql, "SELECT " + sql::columns<Share>("s.") + " FROM shares s WHERE s.is_resolved = 0");
  };
  co_return co_await database_.run(Lane::read, Turn::server(), std::move(job));
}

Task<Result<void>> Shares::resolve(Share share, std::string folder) {
  auto job = [&](sql::Connection& sql) -> Result<void> {
    bump(sql, Generation::mounts);
    sql.run(
        "UPDATE shares SET target = $1, is_resolved = 1 "
        "WHERE id = $2 AND target = $3 AND is_resolved = 0",
        folder, share.id, share.target);
    for (const char* change :
         {"uploads SET leads_to = $1 WHERE leads_to", "bin_items SET leads_to = $1 WHERE leads_to",
          "parked_items SET leads_to = $1 WHERE leads_to",
          "parked_items SET copy_leads_to = $1 WHERE copy_leads_to"}) {
      sql.run(fmt::format("UPDATE {} = $2", change), folder, share.target);
    }
    return {};
  };
  co_return co_await database_.run(Lane::write, Turn::server(), std::move(job));
}

Task<Result<void>> Shares::remove(ShareId id, std::optional<Asker> asker) {
  auto job = [&](sql::Connection& sql) -> Result<void> {
    TRY(const auto actor, begin_change(sql, asker));
    TRY(const auto share, select_by_id(sql, id));
    sql.run("DELETE FROM shares WHERE id = $1", id);
    forget_mark(sql, id);
    drop_bin_of(sql, top_of(id));
    note(sql, AuditKind::share_removed, actor, share.name, share.target);
    return {};
  };
  co_return co_await database_.run(Lane::write, Turn::administration(), std::move(job));
}

}  // namespace coffer::catalog
