#include "catalog/shares.h"

#include <fmt/format.h>
#include <soci/soci.h>

#include <algorithm>
#include <iterator>

#include "base/random.h"
#include "catalog/account_rows.h"
#include "catalog/audit.h"
#include "catalog/bin.h"
#include "catalog/columns.h"
#include "catalog/database.h"
#include "catalog/generation.h"
#include "catalog/mount_paths.h"
#include "catalog/mount_rows.h"
#include "catalog/scoped_keys.h"

namespace coffer::catalog {
namespace {

// One statement for shares and accounts, since on PostgreSQL each sees a snapshot of its own.
constexpr std::string_view kFromShares =
    " FROM shares s LEFT JOIN share_accounts a ON a.share_id = s.id ";
constexpr std::string_view kOrder = " ORDER BY s.id, a.account_id";

// A share has as many rows as accounts, at least one.
std::vector<Share> collect(const soci::rowset<soci::row>& rows) {
  std::vector<Share> shares;
  for (const soci::row& row : rows) {
    Share share = share_from(row);
    if (shares.empty() || shares.back().id != share.id) shares.push_back(std::move(share));
    if (row.get_indicator(kShareColumnCount) == soci::i_null) continue;
    shares.back().accounts.push_back(AccountId{row.get<long long>(kShareColumnCount)});
  }
  return shares;
}

Result<Share> select_by_id(soci::session& sql, const ShareId& id) {
  const soci::rowset<soci::row> rows =
      (sql.prepare << "SELECT " << kShareColumns << ", a.account_id" << kFromShares
                   << "WHERE s.id = :id" << kOrder,
       soci::use(id.value, "id"));
  auto shares = collect(rows);
  if (shares.empty()) return fail(ErrorCode::not_found, "There is no such shared folder.");
  return std::move(shares.front());
}

bool is_taken(soci::session& sql, const Share& share) {
  long long count = 0;
  sql << "SELECT count(*) FROM shares WHERE name = :name AND id <> :id",
      soci::use(share.name, "name"), soci::use(share.id.value, "id"), soci::into(count);
  return count > 0;
}

void store_share(soci::session& sql, const Share& share) {
  const long long read_only = share.read_only ? 1 : 0;
  const long long everyone = share.everyone ? 1 : 0;
  const long long created_at = to_column(share.created_at);
  sql << "INSERT INTO shares (id, name, description, target, read_only, everyone, created_at, "
         "is_resolved) VALUES (:id, :name, :description, :target, :read_only, :everyone, "
         ":created_at, 1) ON CONFLICT (id) DO UPDATE SET name = excluded.name, description = "
         "excluded.description, target = excluded.target, read_only = excluded.read_only, "
         "everyone = excluded.everyone, is_resolved = CASE WHEN shares.target = excluded.target "
         "THEN shares.is_resolved ELSE 1 END",
      soci::use(share.id.value, "id"), soci::use(share.name, "name"),
      soci::use(share.description, "description"), soci::use(share.target, "target"),
      soci::use(read_only, "read_only"), soci::use(everyone, "everyone"),
      soci::use(created_at, "created_at");
}

Result<void> store_accounts(soci::session& sql, const Share& share) {
  sql << "DELETE FROM share_accounts WHERE share_id = :id", soci::use(share.id.value, "id");
  long long account_id = 0;
  soci::statement insert =
      (sql.prepare << "INSERT INTO share_accounts (share_id, account_id) SELECT :id, id FROM "
                      "accounts WHERE id = :account",
       soci::use(share.id.value, "id"), soci::use(account_id, "account"));
  for (const AccountId account : share.accounts) {
    account_id = account.value;
    insert.execute(true);
    if (insert.get_affected_rows() == 0) return no_such_account();
  }
  return {};
}

// Call it in a transaction that bumped the generation, so that no other changes shares.
Result<Share> store(soci::session& sql, Share share) {
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

}  // namespace

Task<Result<Share>> Shares::create(NewShare share) {
  auto job = [&](soci::session& sql) -> Result<Share> {
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
  auto job = [](soci::session& sql) -> Result<std::vector<Share>> {
    const soci::rowset<soci::row> rows =
        (sql.prepare << "SELECT " << kShareColumns << ", a.account_id" << kFromShares << kOrder);
    auto shares = collect(rows);
    std::ranges::sort(shares, {}, &Share::name);
    return shares;
  };
  co_return co_await database_.run(Lane::read, Turn::administration(), std::move(job));
}

Task<Result<Share>> Shares::find(ShareId id) {
  auto job = [&](soci::session& sql) { return select_by_id(sql, id); };
  co_return co_await database_.run(Lane::read, Turn::of(id.value), std::move(job));
}

Task<Result<Share>> Shares::set(ShareId id, ShareChange change) {
  auto job = [&](soci::session& sql) -> Result<Share> {
    if (change.target && !change.asker) bump(sql, Generation::auth);
    TRY(const auto actor, begin_change(sql, change.asker));
    TRY(auto share, select_by_id(sql, id));
    const std::string before = share.target;
    apply(change, share);
    TRY_VOID(check_accounts(change, share));
    if (share.target != before) erase_scoped(sql, AccountId{}, top_of(id));
    auto stored = store(sql, std::move(share));
    if (stored) note(sql, AuditKind::share_changed, actor, stored->name, stored->target);
    return stored;
  };
  co_return co_await database_.run(Lane::write, Turn::administration(), std::move(job));
}

Task<Result<std::vector<Share>>> Shares::unresolved() {
  auto job = [](soci::session& sql) -> Result<std::vector<Share>> {
    return select_all(
        (sql.prepare << "SELECT " << kShareColumns << " FROM shares s WHERE s.is_resolved = 0"),
        share_from);
  };
  co_return co_await database_.run(Lane::read, Turn::server(), std::move(job));
}

Task<Result<void>> Shares::resolve(Share share, std::string folder) {
  auto job = [&](soci::session& sql) -> Result<void> {
    bump(sql, Generation::mounts);
    sql << "UPDATE shares SET target = :after, is_resolved = 1 "
           "WHERE id = :id AND target = :before AND is_resolved = 0",
        soci::use(folder, "after"), soci::use(share.id.value, "id"),
        soci::use(share.target, "before");
    for (const char* change : {"uploads SET leads_to = :after WHERE leads_to",
                               "bin_items SET leads_to = :after WHERE leads_to",
                               "parked_items SET leads_to = :after WHERE leads_to",
                               "parked_items SET copy_leads_to = :after WHERE copy_leads_to"}) {
      sql << fmt::format("UPDATE {} = :before", change), soci::use(folder, "after"),
          soci::use(share.target, "before");
    }
    return {};
  };
  co_return co_await database_.run(Lane::write, Turn::server(), std::move(job));
}

Task<Result<void>> Shares::remove(ShareId id, std::optional<Asker> asker) {
  auto job = [&](soci::session& sql) -> Result<void> {
    TRY(const auto actor, begin_change(sql, asker));
    TRY(const auto share, select_by_id(sql, id));
    sql << "DELETE FROM shares WHERE id = :id", soci::use(id.value, "id");
    drop_bin_of(sql, top_of(id));
    note(sql, AuditKind::share_removed, actor, share.name, share.target);
    return {};
  };
  co_return co_await database_.run(Lane::write, Turn::administration(), std::move(job));
}

}  // namespace coffer::catalog
