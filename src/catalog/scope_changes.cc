#include "catalog/scope_changes.h"

#include <soci/soci.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "base/clock.h"
#include "catalog/columns.h"
#include "catalog/database.h"
#include "catalog/generation.h"
#include "catalog/mount_paths.h"
#include "catalog/scoped_keys.h"

namespace coffer::catalog {
namespace {

Path path_from(const std::string& text) {
  auto path = Path::parse(text);
  if (!path) throw std::runtime_error("The catalog holds a scope that is no path.");
  return *std::move(path);
}

ScopeChange change_from(const soci::row& row) {
  ScopeChange change;
  change.id = row.get<std::string>(0);
  change.account.value = row.get<long long>(1);
  change.from = path_from(row.get<std::string>(2));
  change.from_identity = row.get<std::string>(3);
  if (row.get_indicator(4) != soci::i_null) change.to = path_from(row.get<std::string>(4));
  change.to_identity = row.get<std::string>(5);
  return change;
}

std::vector<ScopeChange> select(soci::session& sql) {
  std::vector<ScopeChange> changes;
  soci::rowset<soci::row> rows =
      (sql.prepare << "SELECT id, account_id, from_path, from_identity, to_path, to_identity "
                      "FROM scope_changes ORDER BY started_at, id");
  for (const soci::row& row : rows) changes.push_back(change_from(row));
  return changes;
}

/// How many keys are in transit for it now.
long long put_in_transit(soci::session& sql, const ScopeChange& change) {
  const Holders holders = holders_of(change.account, change.from);
  const std::string below = text_below(change.from);
  soci::statement statement =
      (sql.prepare
           << "UPDATE api_keys SET change_id = :id WHERE account_id BETWEEN :first AND :last AND "
           << kWithin,
       soci::use(change.id, "id"), soci::use(holders.first, "first"),
       soci::use(holders.last, "last"), soci::use(change.from.str(), "scope"),
       soci::use(below, "below"));
  statement.execute(true);
  return statement.get_affected_rows();
}

void insert(soci::session& sql, const ScopeChange& change) {
  const std::string to = change.to ? change.to->str() : std::string();
  soci::indicator has_to = change.to ? soci::i_ok : soci::i_null;
  const long long account = change.account.value;
  const long long started_at = to_column(now());
  sql << "INSERT INTO scope_changes (id, account_id, from_path, from_identity, to_path, "
         "to_identity, started_at) VALUES (:id, :account, :from_path, :from_identity, :to_path, "
         ":to_identity, :started_at)",
      soci::use(change.id, "id"), soci::use(account, "account"),
      soci::use(change.from.str(), "from_path"), soci::use(change.from_identity, "from_identity"),
      soci::use(to, has_to, "to_path"), soci::use(change.to_identity, "to_identity"),
      soci::use(started_at, "started_at");
}

struct KeyInTransit {
  std::string id;
  AccountId account;
  Path scope;
};

std::vector<KeyInTransit> keys_in(soci::session& sql, const std::string& id) {
  std::vector<KeyInTransit> keys;
  soci::rowset<soci::row> rows =
      (sql.prepare << "SELECT id, account_id, scope FROM api_keys WHERE change_id = :id",
       soci::use(id, "id"));
  for (const soci::row& row : rows) {
    keys.push_back({row.get<std::string>(0), AccountId{row.get<long long>(1)},
                    path_from(row.get<std::string>(2))});
  }
  return keys;
}

/// The account of the change; none if there is no such change.
std::optional<AccountId> remove(soci::session& sql, const std::string& id) {
  long long account = 0;
  sql << "SELECT account_id FROM scope_changes WHERE id = :id", soci::use(id, "id"),
      soci::into(account);
  if (!sql.got_data()) return std::nullopt;
  sql << "DELETE FROM scope_changes WHERE id = :id", soci::use(id, "id");
  return AccountId{account};
}

/// It is in transit no more, or for another change.
void set_scope(soci::session& sql, const KeyInTransit& key, const Path& scope,
               const std::string& change = {}) {
  soci::indicator has_change = change.empty() ? soci::i_null : soci::i_ok;
  sql << "UPDATE api_keys SET scope = :scope, change_id = :change WHERE id = :id",
      soci::use(scope.str(), "scope"), soci::use(change, has_change, "change"),
      soci::use(key.id, "id");
}

/// Those that got no scope.
void erase_rest(soci::session& sql, const std::string& change) {
  sql << "DELETE FROM api_keys WHERE change_id = :id", soci::use(change, "id");
}

}  // namespace

bool is_about(const ScopeChange& change, AccountId account, const Path& folder) {
  const auto overlaps = [&](const Path& path) {
    if (!path.is_within(folder) && !folder.is_within(path)) return false;
    return change.account == account || is_in_share(path);
  };
  return overlaps(change.from) || (change.to && overlaps(*change.to));
}

bool is_changing(soci::session& sql, AccountId account, const Path& folder) {
  return std::ranges::any_of(
      select(sql), [&](const ScopeChange& change) { return is_about(change, account, folder); });
}

bool bars_keys(ScopeChange change, AccountId account, const Path& folder) {
  const bool is_copy_from_server = change.from.front().starts_with(kConnectorPrefix) && change.to &&
                                   change.to->front() != change.from.front();
  if (is_copy_from_server) change.to.reset();
  return is_about(change, account, folder);
}

bool bars_keys(soci::session& sql, AccountId account, const Path& folder) {
  return std::ranges::any_of(
      select(sql), [&](const ScopeChange& change) { return bars_keys(change, account, folder); });
}

Task<Result<bool>> ScopeChanges::begin(ScopeChange change) {
  std::vector<ScopeChange> changes;
  changes.push_back(std::move(change));
  co_return co_await begin(std::move(changes));
}

Task<Result<bool>> ScopeChanges::begin(std::vector<ScopeChange> changes) {
  auto job = [&](soci::session& sql) -> Result<bool> {
    // Locks the row: on PostgreSQL another change waits here, before it reads.
    bump(sql, Generation::auth);
    const auto is_taken = [&](const ScopeChange& change) {
      return is_changing(sql, change.account, change.from) ||
             (change.to && is_changing(sql, change.account, *change.to));
    };
    if (std::ranges::any_of(changes, is_taken)) {
      return fail(ErrorCode::exists, "The folder is being changed by others.");
    }
    long long keys = 0;
    for (const ScopeChange& change : changes) keys += put_in_transit(sql, change);
    if (keys == 0) return false;
    for (const ScopeChange& change : changes) insert(sql, change);
    return true;
  };
  co_return co_await database_.run(Lane::write, std::move(job));
}

Task<Result<void>> ScopeChanges::end(std::string id, Follow follow) {
  auto job = [&](soci::session& sql) -> Result<void> {
    bump(sql, Generation::auth);
    const auto account = remove(sql, id);
    for (const KeyInTransit& key : keys_in(sql, id)) {
      auto scope = follow(key.scope);
      const bool leaves =
          scope && *scope != key.scope && key.account != account.value_or(key.account);
      if (leaves && !is_in_share(*scope)) scope.reset();
      if (scope) set_scope(sql, key, *scope);
    }
    erase_rest(sql, id);
    return {};
  };
  co_return co_await database_.run(Lane::write, std::move(job));
}

Task<Result<void>> ScopeChanges::narrow(std::string id, ScopeChange rest, Decide decide) {
  auto job = [&](soci::session& sql) -> Result<void> {
    bump(sql, Generation::auth);
    const auto account = remove(sql, id);
    if (!account) return {};
    bool any_in_doubt = false;
    for (const KeyInTransit& key : keys_in(sql, id)) {
      const KeyFate fate = decide(key.scope, key.account == *account);
      if (!fate.scope) continue;
      set_scope(sql, key, *fate.scope, fate.in_doubt ? rest.id : "");
      any_in_doubt = any_in_doubt || fate.in_doubt;
    }
    erase_rest(sql, id);
    if (any_in_doubt) insert(sql, rest);
    return {};
  };
  co_return co_await database_.run(Lane::write, std::move(job));
}

Task<Result<bool>> ScopeChanges::concerns(AccountId account, Path folder) {
  auto job = [&](soci::session& sql) -> Result<bool> {
    return any_scoped(sql, account, folder) || is_changing(sql, account, folder);
  };
  co_return co_await database_.run(Lane::read, std::move(job));
}

Task<Result<std::vector<ScopeChange>>> ScopeChanges::list() {
  auto job = [](soci::session& sql) -> Result<std::vector<ScopeChange>> { return select(sql); };
  co_return co_await database_.run(Lane::read, std::move(job));
}

Task<Result<std::vector<Path>>> ScopeChanges::scopes(std::string id) {
  auto job = [&](soci::session& sql) -> Result<std::vector<Path>> {
    std::vector<Path> scopes;
    for (KeyInTransit& key : keys_in(sql, id)) {
      if (std::ranges::find(scopes, key.scope) == scopes.end()) {
        scopes.push_back(std::move(key.scope));
      }
    }
    return scopes;
  };
  co_return co_await database_.run(Lane::read, std::move(job));
}

}  // namespace coffer::catalog
