#include "catalog/scope_changes.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "base/clock.h"
#include "catalog/account_rows.h"
#include "catalog/audit.h"
#include "catalog/database.h"
#include "catalog/generation.h"
#include "catalog/key.h"
#include "catalog/mount_paths.h"
#include "catalog/runs.h"
#include "catalog/scoped_keys.h"
#include "sql/connection.h"
#include "sql/table.h"

namespace coffer::sql {

/// Not for `insert`: the table has further columns.
template <>
struct Table<catalog::ScopeChange> {
  static constexpr std::string_view kName = "scope_changes";
  static constexpr auto kColumns = std::tuple{
      Column{"id", &catalog::ScopeChange::id},
      Column{"account_id", &catalog::ScopeChange::account},
      Column{"from_path", &catalog::ScopeChange::from},
      Column{"to_path", &catalog::ScopeChange::to},
  };
};

}  // namespace coffer::sql

namespace coffer::catalog {
namespace {

std::vector<ScopeChange> select(sql::Connection& sql) {
  static const std::string kText = "SELECT " + sql::columns<ScopeChange>() + " FROM scope_changes";
  return sql::select<ScopeChange>(sql, kText);
}

void put_in_transit(sql::Connection& sql, const ScopeChange& change) {
  const Holders holders = holders_of(change.account, change.from);
  sql.run("UPDATE api_keys SET change_id = $5 WHERE account_id BETWEEN $1 AND $2 AND " +
              within_of("scope", 3),
          holders.first, holders.last, change.from, text_below(change.from), change.id);
}

// Earlier versions stored the inode and the birth time of the folders.
void insert_change(sql::Connection& sql, const ScopeChange& change, const std::string& node) {
  sql.run(
      "INSERT INTO scope_changes (id, account_id, from_path, from_identity, to_path, "
      "to_identity, started_at, run) VALUES ($1, $2, $3, '', $4, '', $5, $6)",
      change.id, change.account, change.from, change.to, now(), node);
}

struct KeyInTransit {
  std::string id;
  AccountId account;
  Path scope;
  KeyKind kind = KeyKind::api_key;
};

std::vector<KeyInTransit> keys_in(sql::Connection& sql, const std::string& id) {
  std::vector<KeyInTransit> keys;
  const auto rows =
      sql.query("SELECT id, account_id, scope, is_link FROM api_keys WHERE change_id = $1", id);
  for (const sql::Row& row : rows) {
    keys.push_back({row.get<std::string>(0), row.get<AccountId>(1), row.get<Path>(2),
                    static_cast<KeyKind>(row.get<std::int64_t>(3))});
  }
  return keys;
}

/// Returns the changes that keys are in transit for, and that no run works on.
std::vector<std::string> ended_changes_of_keys(sql::Connection& sql) {
  static const std::string kText =
      "SELECT DISTINCT change_id FROM api_keys WHERE change_id IS NOT NULL AND change_id NOT IN "
      "(SELECT id FROM scope_changes WHERE NOT (" +
      std::string(kIsOfEndedRun) + "))";
  std::vector<std::string> ids;
  const auto rows = sql.query(kText);
  for (const sql::Row& row : rows) ids.push_back(row.get<std::string>(0));
  return ids;
}

/// The folder of a change, as the account sees it.
struct ChangedFolder {
  AccountId account;
  Path path;
};

/// Returns the folder of the change; nullopt if there is no such change.
std::optional<ChangedFolder> remove(sql::Connection& sql, const std::string& id) {
  const auto row = sql.first("SELECT account_id, from_path FROM scope_changes WHERE id = $1", id);
  if (!row) return std::nullopt;
  sql.run("DELETE FROM scope_changes WHERE id = $1", id);
  return ChangedFolder{row->get<AccountId>(0), row->get<Path>(1)};
}

// Uploads that are not finished, of those who see the folder by this path.

struct UploadTarget {
  std::string id;
  Path folder;
};

const std::string kFromUploadsTo =
    "FROM uploads WHERE account_id BETWEEN $1 AND $2 AND state <> 'done' AND " +
    within_of("folder", 3);

std::vector<UploadTarget> uploads_to(sql::Connection& sql, AccountId account, const Path& folder) {
  const Holders holders = holders_of(account, folder);
  static const std::string kText = "SELECT id, folder " + kFromUploadsTo;
  std::vector<UploadTarget> uploads;
  const auto rows = sql.query(kText, holders.first, holders.last, folder, text_below(folder));
  for (const sql::Row& row : rows) {
    uploads.push_back({row.get<std::string>(0), row.get<Path>(1)});
  }
  return uploads;
}

/// True if both are in the same share or connector, or both in own files: then an upload's quota
/// and rights are the same. Own folders may be anywhere in own files.
bool are_in_one_place(const Path& one, const Path& other) {
  const auto mount_of = [](const Path& path) {
    const std::string_view top = path.front();
    return is_in_mount(path) ? top : std::string_view();
  };
  return mount_of(one) == mount_of(other);
}

void move_uploads(sql::Connection& sql, const ChangedFolder& changed,
                  const ScopeChanges::Follow& follow) {
  for (const UploadTarget& upload : uploads_to(sql, changed.account, changed.path)) {
    const auto folder = follow(upload.folder);
    if (!folder || !are_in_one_place(*folder, upload.folder)) continue;
    sql.run("UPDATE uploads SET folder = $1 WHERE id = $2", *folder, upload.id);
  }
}

void set_scope(sql::Connection& sql, const KeyInTransit& key, const Path& scope) {
  sql.run("UPDATE api_keys SET scope = $1, change_id = NULL WHERE id = $2", scope, key.id);
  if (key.kind != KeyKind::person_share || scope == key.scope) return;
  // What is under way there can go on.
  for (const char* change :
       {"uploads SET leads_to = $1 WHERE leads_to", "parked_items SET leads_to = $1 WHERE leads_to",
        "parked_items SET copy_leads_to = $1 WHERE copy_leads_to"}) {
    sql.run(fmt::format("UPDATE {} = $2", change), leads_to_of(key.account, scope),
            leads_to_of(key.account, key.scope));
  }
}

AuditKind ended_of(KeyKind kind) {
  if (kind == KeyKind::person_share) return AuditKind::item_unshared;
  return kind == KeyKind::link ? AuditKind::link_ended : AuditKind::key_revoked;
}

/// Shares of accounts are among the mounts of others.
void bump_for(sql::Connection& sql, const std::vector<KeyInTransit>& keys) {
  bump(sql, Generation::auth);
  const auto is_share = [](const KeyInTransit& key) { return key.kind == KeyKind::person_share; };
  if (std::ranges::any_of(keys, is_share)) bump(sql, Generation::mounts);
}

/// Where a key goes that would get this scope; nullopt if it ends. Only own files can be shared.
std::optional<Path> kept_scope(const KeyInTransit& key, std::optional<Path> scope,
                               bool is_of_other) {
  if (!scope || *scope == key.scope) return scope;
  if (is_of_other && !is_in_share(*scope)) return std::nullopt;
  if (key.kind == KeyKind::person_share && is_in_mount(*scope)) return std::nullopt;
  return scope;
}

RevokedKey note_revocation(sql::Connection& sql, const KeyInTransit& key, std::string_view why) {
  RevokedKey revoked{KeyId{key.id}, key.kind, name_of(sql, key.account), key.scope};
  note(sql, ended_of(key.kind), {}, revoked.account,
       fmt::format("id={}, folder={}, {}", key.id, key.scope.str(), why));
  return revoked;
}

/// Ends the change of the keys, which are all that are in transit for it. Call it in a transaction
/// that bumped the generation if there are any.
std::vector<RevokedKey> end_change(sql::Connection& sql, const std::string& id,
                                   const std::vector<KeyInTransit>& keys,
                                   const ScopeChanges::Follow& follow,
                                   ScopeChanges::Outcome outcome) {
  const auto changed = remove(sql, id);
  if (changed) move_uploads(sql, *changed, follow);
  std::vector<RevokedKey> revoked;
  for (const KeyInTransit& key : keys) {
    const bool is_of_other = changed && key.account != changed->account;
    const auto scope = kept_scope(key, follow(key.scope), is_of_other);
    if (scope) {
      set_scope(sql, key, *scope);
    } else if (outcome == ScopeChanges::Outcome::unknown) {
      revoked.push_back(note_revocation(sql, key, "its change was interrupted"));
    }
  }
  sql.run("DELETE FROM api_keys WHERE change_id = $1", id);
  return revoked;
}

/// True for a move of what only keys of its own account open: other accounts need not wait for its
/// end, which may be up to a server. What they change at its new place ends its keys instead.
bool gives_way(const ScopeChange& change, AccountId account) {
  return change.account != account && !is_in_share(change.from);
}

/// True if `relates` holds for a folder that is being changed, and `account` has to wait for that.
template <class Relates>
bool any_changing(const std::vector<ScopeChange>& changes, AccountId account, Relates relates) {
  return std::ranges::any_of(changes, [&](const ScopeChange& change) {
    if (gives_way(change, account)) return false;
    const auto is_meant = [&](const Path& path) {
      return (change.account == account || is_in_share(path)) && relates(path);
    };
    return is_meant(change.from) || (change.to && is_meant(*change.to));
  });
}

bool are_related(const Path& one, const Path& other) {
  return one.is_within(other) || other.is_within(one);
}

/// True if one of the changes in progress concerns the folder, one above it, or one below it.
bool is_changing(const std::vector<ScopeChange>& changes, AccountId account, const Path& folder) {
  return any_changing(changes, account,
                      [&](const Path& path) { return are_related(path, folder); });
}

/// Of the changes in progress, the moves of other accounts that are on their way to the folder in a
/// share, to one above it, or below it, and give way.
std::vector<ScopeChange> on_their_way(std::vector<ScopeChange> moves, AccountId account,
                                      const Path& folder) {
  std::erase_if(moves, [&](const ScopeChange& move) {
    return !gives_way(move, account) || !move.to || !is_in_share(*move.to) ||
           !are_related(*move.to, folder);
  });
  return moves;
}

/// Revokes the keys of other accounts' moves, of the changes in progress, whose new folder the
/// change takes away. Returns true if there were any.
bool revoke_on_their_way(sql::Connection& sql, const std::vector<ScopeChange>& in_progress,
                         const ScopeChange& change) {
  bool any = false;
  for (const ScopeChange& move : on_their_way(in_progress, change.account, change.from)) {
    for (const KeyInTransit& key : keys_in(sql, move.id)) {
      const Path folder = *move.to / key.scope.relative_to(move.from);
      if (!folder.is_within(change.from)) continue;
      note_revocation(sql, key, "its new place was changed by another account while it was moved");
      sql.run("DELETE FROM api_keys WHERE id = $1", key.id);
      any = true;
    }
  }
  return any;
}

/// What `concerns` looks at, by one query.
struct Concerns {
  bool any_keys_or_uploads = false;  ///< Of the folder.
  std::vector<ScopeChange> in_progress;
};

Concerns select_concerns(sql::Connection& sql, AccountId account, const Path& folder) {
  const Holders holders = holders_of(account, folder);
  // It has a row without a change if there is none.
  static const std::string kText =
      "SELECT (SELECT count(*) FROM api_keys WHERE account_id BETWEEN $1 AND $2 AND " +
      within_of("scope", 3) + ") + (SELECT count(*) " + kFromUploadsTo + "), " +
      sql::columns<ScopeChange>("c.") +
      " FROM (SELECT 1 AS one) AS x LEFT JOIN scope_changes c ON 1 = 1";
  Concerns found;
  const auto rows = sql.query(kText, holders.first, holders.last, folder, text_below(folder));
  for (const sql::Row& row : rows) {
    found.any_keys_or_uploads = row.get<long long>(0) > 0;
    if (row.get<std::optional<std::string>>(1)) {
      found.in_progress.push_back(sql::read<ScopeChange>(row, 1));
    }
  }
  return found;
}

}  // namespace

bool is_in_change(sql::Connection& sql, AccountId account, const Path& folder) {
  return any_changing(select(sql), account,
                      [&](const Path& path) { return folder.is_within(path); });
}

Task<Result<ScopeChanges::Begun>> ScopeChanges::begin(std::vector<ScopeChange> changes,
                                                      Record record) {
  auto job = [&](sql::Connection& sql) -> Result<Begun> {
    lock(sql, Generation::auth);  // On PostgreSQL concurrent changes wait here.
    const auto in_progress = select(sql);
    const auto is_taken = [&](const ScopeChange& change) {
      return is_changing(in_progress, change.account, change.from) ||
             (change.to && is_changing(in_progress, change.account, *change.to));
    };
    if (record != Record::made && std::ranges::any_of(changes, is_taken)) {
      return fail(
          ErrorCode::conflict,
          "The item, or one above or in it, is being moved, renamed or deleted; try again.");
    }
    Begun begun{.is_recorded = record == Record::always};
    bool any_revoked = false;
    for (const ScopeChange& change : changes) {
      any_revoked |= revoke_on_their_way(sql, in_progress, change);
      put_in_transit(sql, change);
      auto keys = keys_in(sql, change.id);
      if (!keys.empty()) bump_for(sql, keys);
      for (KeyInTransit& key : keys) begun.scopes.insert(std::move(key.scope));
      begun.is_recorded = begun.is_recorded || !begun.scopes.empty() ||
                          !uploads_to(sql, change.account, change.from).empty();
    }
    if (any_revoked) {
      bump(sql, Generation::auth);
      bump(sql, Generation::mounts);
    }
    if (!begun.is_recorded) return begun;
    for (const ScopeChange& change : changes) insert_change(sql, change, database_.node());
    return begun;
  };
  const Turn turn = Turn::of_change(changes.at(0).account);
  const Lane lane = record == Record::always ? Lane::ordered : Lane::write;
  CO_TRY(auto begun, co_await database_.run(lane, turn, std::move(job)));
  if (lane == Lane::ordered && database_.is_sqlite() && !begun.scopes.empty()) {
    CO_TRY_VOID(co_await flush(turn));
  }
  co_return begun;
}

Task<Result<void>> ScopeChanges::flush(Turn turn) {
  co_return co_await database_.run(Lane::write, turn, [](sql::Connection& sql) -> Result<void> {
    bump(sql, Generation::auth);
    return {};
  });
}

Task<Result<std::vector<RevokedKey>>> ScopeChanges::end(Turn turn, std::string id, Follow follow,
                                                        Outcome outcome) {
  bool has_keys = false;
  auto job = [&](sql::Connection& sql) -> Result<std::vector<RevokedKey>> {
    lock(sql, Generation::auth);
    const auto keys = keys_in(sql, id);
    has_keys = !keys.empty();
    if (has_keys) bump_for(sql, keys);
    return end_change(sql, id, keys, follow, outcome);
  };
  CO_TRY(auto revoked, co_await database_.run(Lane::ordered, turn, std::move(job)));
  if (has_keys && database_.is_sqlite()) {
    CO_TRY_VOID(co_await flush(turn));
  }
  co_return revoked;
}

Task<Result<std::vector<RevokedKey>>> ScopeChanges::revoke_ended() {
  auto job = [](sql::Connection& sql) -> Result<std::vector<RevokedKey>> {
    lock(sql, Generation::auth);
    const auto ids = ended_changes_of_keys(sql);
    if (!ids.empty()) {
      bump(sql, Generation::auth);
      bump(sql, Generation::mounts);
    }
    const auto revoke = [](const Path&) { return std::optional<Path>(); };
    std::vector<RevokedKey> all;
    for (const std::string& id : ids) {
      auto revoked = end_change(sql, id, keys_in(sql, id), revoke, Outcome::unknown);
      std::ranges::move(revoked, std::back_inserter(all));
    }
    sql.run("DELETE FROM scope_changes WHERE " + std::string(kIsOfEndedRun));
    return all;
  };
  co_return co_await database_.run(Lane::write, Turn::server(), std::move(job));
}

Task<Result<bool>> ScopeChanges::concerns(AccountId account, Path folder) {
  auto job = [&](sql::Connection& sql) -> Result<bool> {
    const auto found = select_concerns(sql, account, folder);
    return found.any_keys_or_uploads || is_changing(found.in_progress, account, folder) ||
           !on_their_way(found.in_progress, account, folder).empty();
  };
  co_return co_await database_.run(Lane::read, Turn::of_change(account), std::move(job));
}

}  // namespace coffer::catalog
