#include "catalog/accounts.h"

#include <fmt/format.h>

#include <algorithm>

#include "catalog/account_rows.h"
#include "catalog/audit.h"
#include "catalog/database.h"
#include "catalog/generation.h"
#include "catalog/mount_paths.h"
#include "catalog/person_share_rows.h"
#include "sql/table.h"

namespace coffer::sql {

template <>
struct Table<catalog::RemovedHome> {
  using Home = catalog::RemovedHome;
  static constexpr std::string_view kName = "removed_homes";
  static constexpr auto kColumns =
      std::tuple{Column{"home", &Home::home}, Column{"account_name", &Home::account_name},
                 Column{"removed_at", &Home::removed_at}};
};

}  // namespace coffer::sql

namespace coffer::catalog {
namespace {

const std::string kSelect = "SELECT " + sql::columns<Account>() + " FROM accounts ";

Result<Account> found_or_error(std::optional<Account> account) {
  if (!account) return no_such_account();
  return *std::move(account);
}

Result<Account> select_by_id(sql::Connection& sql, AccountId id) {
  return found_or_error(sql::select_first<Account>(sql, kSelect + "WHERE id = $1", id));
}

void apply(AccountChange& change, Account& account) {
  if (change.display_name) account.display_name = std::move(*change.display_name);
  if (change.role) account.role = *change.role;
  if (change.disabled) account.disabled = *change.disabled;
  if (change.quota_bytes) account.quota_bytes = *change.quota_bytes;
  if (change.password_hash) account.password_hash = std::move(*change.password_hash);
  if (change.preferences) account.preferences = std::move(*change.preferences);
}

/// Ends the account's sessions but `kept`.
void end_sessions(sql::Connection& sql, AccountId account, const std::optional<SessionId>& kept) {
  sql.run("DELETE FROM web_sessions WHERE account_id = $1 AND id <> $2", account,
          kept.value_or(SessionId()));
}

bool ends_sessions(const AccountChange& change, const Account& before) {
  return change.password_hash || (change.role && *change.role != before.role) ||
         (change.disabled && *change.disabled);
}

std::string details_of(const Account& made) {
  return fmt::format("role={}, quota={}", word_of(made.role), made.quota_bytes);
}

/// Describes a change for the audit log; empty for changes of the account's own preferences.
std::string details_of(const AccountChange& change) {
  std::vector<std::string> parts;
  if (change.display_name) parts.push_back("displayName");
  if (change.role) parts.push_back(fmt::format("role={}", word_of(*change.role)));
  if (change.disabled) parts.push_back(fmt::format("disabled={}", *change.disabled));
  if (change.quota_bytes) parts.push_back(fmt::format("quota={}", *change.quota_bytes));
  if (change.password_hash) parts.push_back("password");
  return fmt::format("{}", fmt::join(parts, ", "));
}

bool is_administrator(const Account& account) {
  return account.role == Role::admin && !account.disabled;
}

/// True if another administrator has access, by a password, an identity or an unlimited key.
bool has_other_administrator(sql::Connection& sql, AccountId account) {
  const auto count = sql.only<std::int64_t>(
      "SELECT count(*) FROM accounts a WHERE a.role = 'admin' AND a.disabled = 0 AND "
      "a.id <> $1 AND (a.password_hash <> '' OR EXISTS (SELECT 1 FROM identities i WHERE "
      "i.account_id = a.id) "
      "OR EXISTS (SELECT 1 FROM api_keys k WHERE "
      "k.account_id = a.id AND k.scope IS NULL AND k.is_link = 0 AND k.read_only = 0 AND "
      "k.expires_at IS NULL))",
      account);
  return count > 0;
}

/// Refuses a change by an asker that leaves no administrator with access. The command line may make
/// it, since it can also undo it.
Result<void> check_administrators(sql::Connection& sql, const std::optional<Asker>& asker,
                                  const Account& before, bool stays_one) {
  if (!asker || !is_administrator(before) || stays_one) return {};
  if (has_other_administrator(sql, before.id)) return {};
  return fail(ErrorCode::forbidden,
              "No administrator who can get in would be left: make another one first.");
}

/// Returns what would change, for the account as it is now.
AccountChange change_for(sql::Connection& sql, const Account& account,
                         const ClaimedRights& rights) {
  AccountChange change;
  if (rights.role && *rights.role != account.role) change.role = rights.role;
  if (rights.quota_bytes && *rights.quota_bytes != account.quota_bytes) {
    change.quota_bytes = rights.quota_bytes;
  }
  const bool is_demoted = change.role && is_administrator(account);
  if (is_demoted && !has_other_administrator(sql, account.id)) change.role.reset();
  return change;
}

}  // namespace

Task<Result<Account>> Accounts::add(NewAccount account) {
  auto job = [&](sql::Connection& sql) -> Result<Account> {
    if (account.asker) lock(sql, Generation::auth);
    TRY(const auto actor, check(sql, account.asker));
    auto made = insert_account(sql, account);
    if (made) note(sql, AuditKind::account_created, actor, made->name, details_of(*made));
    return made;
  };
  co_return co_await database_.run(Lane::write, Turn::administration(), std::move(job));
}

Task<Result<Account>> Accounts::find(Turn turn, std::string name) {
  auto job = [&](sql::Connection& sql) -> Result<Account> {
    return found_or_error(sql::select_first<Account>(sql, kSelect + "WHERE name = $1", name));
  };
  co_return co_await database_.run(Lane::read, turn, std::move(job));
}

Task<Result<Account>> Accounts::get(AccountId id) {
  auto job = [id](sql::Connection& sql) { return select_by_id(sql, id); };
  co_return co_await database_.run(Lane::read, id, std::move(job));
}

Task<Result<std::vector<Account>>> Accounts::list() {
  auto job = [](sql::Connection& sql) -> Result<std::vector<Account>> {
    auto accounts = sql::select<Account>(sql, kSelect);
    // Sorted here, since PostgreSQL orders text by its locale and SQLite by bytes.
    std::ranges::sort(accounts, {}, &Account::name);
    return accounts;
  };
  co_return co_await database_.run(Lane::read, Turn::administration(), std::move(job));
}

Task<Result<std::map<std::optional<HomeStore>, std::uint64_t>>> Accounts::home_stores() {
  using Counts = std::map<std::optional<HomeStore>, std::uint64_t>;
  auto job = [](sql::Connection& sql) -> Result<Counts> {
    Counts counts;
    const auto rows = sql.query("SELECT home_store, count(*) FROM accounts GROUP BY home_store");
    for (const sql::Row& row : rows) {
      counts[row.get<std::optional<HomeStore>>(0)] = row.get<std::uint64_t>(1);
    }
    return counts;
  };
  co_return co_await database_.run(Lane::read, Turn::administration(), std::move(job));
}

Task<Result<std::map<AccountId, Timestamp>>> Accounts::last_seen() {
  auto job = [](sql::Connection& sql) -> Result<std::map<AccountId, Timestamp>> {
    std::map<AccountId, Timestamp> all;
    const auto rows = sql.query(
        "SELECT account_id, max(at) FROM (SELECT account_id, last_seen_at AS at "
        "FROM web_sessions UNION ALL SELECT account_id, last_used_at AS at FROM "
        "api_keys WHERE last_used_at IS NOT NULL AND is_link = 0) uses GROUP BY account_id");
    for (const sql::Row& row : rows) all[row.get<AccountId>(0)] = row.get<Timestamp>(1);
    return all;
  };
  co_return co_await database_.run(Lane::read, Turn::administration(), std::move(job));
}

Task<Result<Account>> Accounts::change(AccountId id, AccountChange change) {
  auto job = [&](sql::Connection& sql) -> Result<Account> {
    bump(sql, Generation::auth);
    TRY(const auto actor, check(sql, change.asker));
    if (change.display_name || change.disabled || change.quota_bytes) {
      bump(sql, Generation::mounts);  // Those who receive its shares have these among their mounts.
    }
    TRY(auto account, select_by_id(sql, id));
    if (change.if_password_hash && *change.if_password_hash != account.password_hash) {
      return fail(ErrorCode::conflict, "The password was changed meanwhile.");
    }
    const Account before = account;
    const std::string details = details_of(change);
    if (ends_sessions(change, before)) end_sessions(sql, id, change.kept_session);
    apply(change, account);
    const bool stays_one = is_administrator(account);
    TRY_VOID(check_administrators(sql, change.asker, before, stays_one));
    sql::run_update(sql, account);
    if (!details.empty()) note(sql, AuditKind::account_changed, actor, account.name, details);
    return account;
  };
  const bool is_own = change.asker && !change.asker->must_be_admin;
  const Turn turn = is_own ? Turn(id) : Turn::administration();
  co_return co_await database_.run(Lane::write, turn, std::move(job));
}

Task<Result<Account>> Accounts::follow(AccountId id, ClaimedRights rights, std::string source,
                                       std::string address) {
  auto job = [&](sql::Connection& sql) -> Result<Account> {
    lock(sql, Generation::auth);
    TRY(auto account, select_by_id(sql, id));
    AccountChange change = change_for(sql, account, rights);
    const std::string details = details_of(change);
    if (details.empty()) return account;
    bump(sql, Generation::auth);  // All grants are read anew after it.
    bump(sql, Generation::mounts);
    if (change.role) end_sessions(sql, id, {});
    apply(change, account);
    sql::run_update(sql, account);
    const Actor actor{account.name, address};
    note(sql, AuditKind::account_changed, actor, account.name,
         fmt::format("{}, by {}", details, source));
    return account;
  };
  co_return co_await database_.run(Lane::write, id, std::move(job));
}

Task<Result<Account>> Accounts::foresee(AccountId id, ClaimedRights rights) {
  auto job = [&](sql::Connection& sql) -> Result<Account> {
    TRY(auto account, select_by_id(sql, id));
    AccountChange change = change_for(sql, account, rights);
    apply(change, account);
    return account;
  };
  co_return co_await database_.run(Lane::read, id, std::move(job));
}

Task<Result<void>> Accounts::renew_hash(AccountId id, std::string old, std::string fresh) {
  auto job = [&](sql::Connection& sql) -> Result<void> {
    bump(sql, Generation::auth);
    sql.run("UPDATE accounts SET password_hash = $1 WHERE id = $2 AND password_hash = $3", fresh,
            id, old);
    return {};
  };
  co_return co_await database_.run(Lane::write, id, std::move(job));
}

namespace {

/// Gives back what the account's unfinished uploads into the files of others have reserved there.
void release_others_quota(sql::Connection& sql, AccountId account) {
  constexpr std::string_view kOfIt =
      "FROM uploads u WHERE u.account_id = $1 AND u.quota_account_id <> $1 AND u.state IN "
      "('receiving', 'interrupted')";
  // In the order in which all transactions lock accounts.
  for (const sql::Row& row : sql.query(
           fmt::format("SELECT u.quota_account_id, CAST(sum(u.quota_bytes) AS BIGINT) {} GROUP BY "
                       "u.quota_account_id ORDER BY u.quota_account_id",
                       kOfIt),
           account)) {
    sql.run(
        "UPDATE quota_usage SET reserved_bytes = reserved_bytes - $1, version = version + 1 WHERE "
        "account_id = $2",
        row.get<std::int64_t>(1), row.get<AccountId>(0));
  }
}

}  // namespace

Task<Result<void>> Accounts::remove(AccountId id, std::optional<Asker> asker) {
  auto job = [&](sql::Connection& sql) -> Result<void> {
    bump(sql, Generation::auth);
    TRY(const auto actor, check(sql, asker));
    bump(sql, Generation::mounts);
    bump(sql, Generation::locks);
    TRY(const auto account, select_by_id(sql, id));
    TRY_VOID(check_administrators(sql, asker, account, false));
    sql.run(
        "INSERT INTO removed_homes (home, account_name, removed_at) "
        "SELECT home, name, CAST($1 AS BIGINT) FROM accounts WHERE id = $2",
        now(), id);
    // The items that it deleted in shares are still to be deleted from the bins there.
    sql.run("DELETE FROM bin_items WHERE account_id = $1 AND substr(place, 1, $2) <> $3", id,
            kSharePrefix.size(), kSharePrefix);
    release_others_quota(sql, id);
    // In the order in which the ledger locks the rows.
    sql.run("UPDATE quota_usage SET version = version + 1 WHERE account_id = $1", id);
    sql.run("DELETE FROM accounts WHERE id = $1", id);
    note(sql, AuditKind::account_removed, actor, account.name);
    end_unreceived(sql, actor);
    return {};
  };
  co_return co_await database_.run(Lane::write, Turn::administration(), std::move(job));
}

Task<Result<std::vector<RemovedHome>>> Accounts::removed_homes() {
  auto job = [](sql::Connection& sql) -> Result<std::vector<RemovedHome>> {
    auto homes = sql::select<RemovedHome>(
        sql, "SELECT " + sql::columns<RemovedHome>() + " FROM removed_homes");
    std::ranges::sort(homes, {}, &RemovedHome::home);
    return homes;
  };
  co_return co_await database_.run(Lane::read, Turn::server(), std::move(job));
}

}  // namespace coffer::catalog
