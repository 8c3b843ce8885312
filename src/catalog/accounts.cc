#include "catalog/accounts.h"

#include <fmt/format.h>
#include <soci/soci.h>

#include <algorithm>

#include "catalog/account_rows.h"
#include "catalog/audit.h"
#include "catalog/columns.h"
#include "catalog/database.h"
#include "catalog/generation.h"
#include "catalog/mount_paths.h"

namespace coffer::catalog {
namespace {

Result<Account> select_by_id(soci::session& sql, AccountId id) {
  soci::row row;
  sql << "SELECT " << kAccountColumns << " FROM accounts a WHERE a.id = :id",
      soci::use(id.value, "id"), soci::into(row);
  if (!sql.got_data()) return no_such_account();
  return account_from(row);
}

void update(soci::session& sql, const Account& account) {
  const long long quota = to_column(account.quota_bytes);
  const long long disabled = account.disabled ? 1 : 0;
  const std::string role(word_of(account.role));
  sql << "UPDATE accounts SET display_name = :display_name, role = :role, disabled = :disabled, "
         "quota_bytes = :quota, password_hash = :password_hash, preferences = :preferences "
         "WHERE id = :id",
      soci::use(account.display_name, "display_name"), soci::use(role, "role"),
      soci::use(disabled, "disabled"), soci::use(quota, "quota"),
      soci::use(account.password_hash, "password_hash"),
      soci::use(account.preferences, "preferences"), soci::use(account.id.value, "id");
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
void end_sessions(soci::session& sql, AccountId account, const std::optional<SessionId>& kept) {
  const std::string kept_id = kept ? kept->value : std::string();
  sql << "DELETE FROM web_sessions WHERE account_id = :id AND id <> :kept",
      soci::use(account.value, "id"), soci::use(kept_id, "kept");
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

/// True if another administrator has access, by a password or an unlimited key.
bool has_other_administrator(soci::session& sql, AccountId account) {
  long long count = 0;
  sql << "SELECT count(*) FROM accounts a WHERE a.role = 'admin' AND a.disabled = 0 AND "
         "a.id <> :id AND (a.password_hash <> '' OR EXISTS (SELECT 1 FROM api_keys k WHERE "
         "k.account_id = a.id AND k.scope IS NULL AND k.is_link = 0 AND k.read_only = 0 AND "
         "k.expires_at IS NULL))",
      soci::use(account.value, "id"), soci::into(count);
  return count > 0;
}

/// Refuses a change by an asker that leaves no administrator with access. The command line may make
/// it, since it can also undo it.
Result<void> check_administrators(soci::session& sql, const std::optional<Asker>& asker,
                                  const Account& before, bool stays_one) {
  if (!asker || !is_administrator(before) || stays_one) return {};
  if (has_other_administrator(sql, before.id)) return {};
  return fail(ErrorCode::forbidden,
              "No administrator who can get in would be left: make another one first.");
}

}  // namespace

Task<Result<Account>> Accounts::add(NewAccount account) {
  auto job = [&](soci::session& sql) -> Result<Account> {
    if (account.asker) bump(sql, Generation::auth);
    TRY(const auto actor, check(sql, account.asker));
    auto made = insert_account(sql, account);
    if (made) note(sql, AuditKind::account_created, actor, made->name, details_of(*made));
    return made;
  };
  co_return co_await database_.run(Lane::write, Turn::administration(), std::move(job));
}

Task<Result<Account>> Accounts::find(Turn turn, std::string name) {
  auto job = [&](soci::session& sql) -> Result<Account> {
    soci::row row;
    sql << "SELECT " << kAccountColumns << " FROM accounts a WHERE a.name = :name",
        soci::use(name, "name"), soci::into(row);
    if (!sql.got_data()) return no_such_account();
    return account_from(row);
  };
  co_return co_await database_.run(Lane::read, turn, std::move(job));
}

Task<Result<Account>> Accounts::get(AccountId id) {
  auto job = [id](soci::session& sql) { return select_by_id(sql, id); };
  co_return co_await database_.run(Lane::read, id, std::move(job));
}

Task<Result<std::vector<Account>>> Accounts::list() {
  auto job = [](soci::session& sql) -> Result<std::vector<Account>> {
    auto accounts = select_all((sql.prepare << "SELECT " << kAccountColumns << " FROM accounts a"),
                               [](const soci::row& row) { return account_from(row); });
    // Sorted here, since PostgreSQL orders text by its locale and SQLite by bytes.
    std::ranges::sort(accounts, {}, &Account::name);
    return accounts;
  };
  co_return co_await database_.run(Lane::read, Turn::administration(), std::move(job));
}

Task<Result<std::map<AccountId, Timestamp>>> Accounts::last_seen() {
  auto job = [](soci::session& sql) -> Result<std::map<AccountId, Timestamp>> {
    std::map<AccountId, Timestamp> all;
    long long id = 0;
    long long at = 0;
    soci::statement statement =
        (sql.prepare
             << "SELECT account_id, max(at) FROM (SELECT account_id, last_seen_at AS at "
                "FROM web_sessions UNION ALL SELECT account_id, last_used_at AS at FROM "
                "api_keys WHERE last_used_at IS NOT NULL AND is_link = 0) uses GROUP BY account_id",
         soci::into(id), soci::into(at));
    statement.execute();
    while (statement.fetch()) all[AccountId{id}] = timestamp_from(at);
    return all;
  };
  co_return co_await database_.run(Lane::read, Turn::administration(), std::move(job));
}

Task<Result<Account>> Accounts::change(AccountId id, AccountChange change) {
  auto job = [&](soci::session& sql) -> Result<Account> {
    bump(sql, Generation::auth);
    TRY(const auto actor, check(sql, change.asker));
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
    update(sql, account);
    if (!details.empty()) note(sql, AuditKind::account_changed, actor, account.name, details);
    return account;
  };
  const bool is_own = change.asker && !change.asker->must_be_admin;
  const Turn turn = is_own ? Turn(id) : Turn::administration();
  co_return co_await database_.run(Lane::write, turn, std::move(job));
}

Task<Result<void>> Accounts::renew_hash(AccountId id, std::string old, std::string fresh) {
  auto job = [&](soci::session& sql) -> Result<void> {
    bump(sql, Generation::auth);
    sql << "UPDATE accounts SET password_hash = :fresh WHERE id = :id AND password_hash = :old",
        soci::use(fresh, "fresh"), soci::use(id.value, "id"), soci::use(old, "old");
    return {};
  };
  co_return co_await database_.run(Lane::write, id, std::move(job));
}

Task<Result<void>> Accounts::remove(AccountId id, std::optional<Asker> asker) {
  auto job = [&](soci::session& sql) -> Result<void> {
    bump(sql, Generation::auth);
    TRY(const auto actor, check(sql, asker));
    bump(sql, Generation::mounts);
    TRY(const auto account, select_by_id(sql, id));
    TRY_VOID(check_administrators(sql, asker, account, false));
    const long long removed_at = to_column(now());
    sql << "INSERT INTO removed_homes (home, account_name, removed_at) "
           "SELECT home, name, CAST(:at AS BIGINT) FROM accounts WHERE id = :id",
        soci::use(removed_at, "at"), soci::use(id.value, "id");
    // The items that it deleted in shares are still to be deleted from the bins there.
    const auto prefix = static_cast<int>(kSharePrefix.size());
    const std::string share_prefix(kSharePrefix);
    sql << "DELETE FROM bin_items WHERE account_id = :id AND substr(place, 1, :length) <> :prefix",
        soci::use(id.value, "id"), soci::use(prefix, "length"), soci::use(share_prefix, "prefix");
    const auto changed = changed_rows(
        (sql.prepare << "DELETE FROM accounts WHERE id = :id", soci::use(id.value, "id")));
    if (changed == 0) return no_such_account();
    note(sql, AuditKind::account_removed, actor, account.name);
    return {};
  };
  co_return co_await database_.run(Lane::write, Turn::administration(), std::move(job));
}

Task<Result<std::vector<RemovedHome>>> Accounts::removed_homes() {
  auto job = [](soci::session& sql) -> Result<std::vector<RemovedHome>> {
    std::vector<RemovedHome> homes;
    soci::rowset<soci::row> rows =
        (sql.prepare << "SELECT home, account_name, removed_at FROM removed_homes");
    for (const soci::row& row : rows) {
      homes.push_back({row.get<std::string>(0), row.get<std::string>(1),
                       timestamp_from(row.get<long long>(2))});
    }
    std::ranges::sort(homes, {}, &RemovedHome::home);
    return homes;
  };
  co_return co_await database_.run(Lane::read, Turn::server(), std::move(job));
}

}  // namespace coffer::catalog
