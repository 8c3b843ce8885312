#include "catalog/scope_changes.h"

#include <fmt/format.h>
#include <soci/soci.h>

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <utility>

#include "base/clock.h"
#include "catalog/account_rows.h"
#include "catalog/audit.h"
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
  if (row.get_indicator(3) != soci::i_null) change.to = path_from(row.get<std::string>(3));
  return change;
}

std::vector<ScopeChange> select(soci::session& sql) {
  return select_all((sql.prepare << "SELECT id, account_id, from_path, to_path FROM scope_changes"),
                    change_from);
}

void put_in_transit(soci::session& sql, const ScopeChange& change) {
  const Holders holders = holders_of(change.account, change.from);
  const std::string below = text_below(change.from);
  sql << "UPDATE api_keys SET change_id = :id WHERE account_id BETWEEN :first AND :last AND "
      << kWithin,
      soci::use(change.id, "id"), soci::use(holders.first, "first"),
      soci::use(holders.last, "last"), soci::use(change.from.str(), "scope"),
      soci::use(below, "below");
}

// Earlier versions stored the inode and the birth time of the folders.
void insert(soci::session& sql, const ScopeChange& change) {
  const std::string to = change.to ? change.to->str() : std::string();
  soci::indicator has_to = change.to ? soci::i_ok : soci::i_null;
  const long long started_at = to_column(now());
  sql << "INSERT INTO scope_changes (id, account_id, from_path, from_identity, to_path, "
         "to_identity, started_at) VALUES (:id, :account, :from_path, '', :to_path, '', "
         ":started_at)",
      soci::use(change.id, "id"), soci::use(change.account.value, "account"),
      soci::use(change.from.str(), "from_path"), soci::use(to, has_to, "to_path"),
      soci::use(started_at, "started_at");
}

struct KeyInTransit {
  std::string id;
  AccountId account;
  Path scope;
  bool is_link = false;
};

std::vector<KeyInTransit> keys_in(soci::session& sql, const std::string& id) {
  std::vector<KeyInTransit> keys;
  const soci::rowset<soci::row> rows =
      (sql.prepare << "SELECT id, account_id, scope, is_link FROM api_keys WHERE change_id = :id",
       soci::use(id, "id"));
  for (const soci::row& row : rows) {
    keys.push_back({row.get<std::string>(0), AccountId{row.get<long long>(1)},
                    path_from(row.get<std::string>(2)), row.get<long long>(3) != 0});
  }
  return keys;
}

/// Returns the changes that keys are in transit for.
std::vector<std::string> changes_of_keys(soci::session& sql) {
  const soci::rowset<std::string> rows =
      (sql.prepare << "SELECT DISTINCT change_id FROM api_keys WHERE change_id IS NOT NULL");
  return {rows.begin(), rows.end()};
}

/// The folder of a change, as the account sees it.
struct ChangedFolder {
  AccountId account;
  Path path;
};

/// Returns the folder of the change; nullopt if there is no such change.
std::optional<ChangedFolder> remove(soci::session& sql, const std::string& id) {
  long long account = 0;
  std::string from;
  sql << "SELECT account_id, from_path FROM scope_changes WHERE id = :id", soci::use(id, "id"),
      soci::into(account), soci::into(from);
  if (!sql.got_data()) return std::nullopt;
  sql << "DELETE FROM scope_changes WHERE id = :id", soci::use(id, "id");
  return ChangedFolder{AccountId{account}, path_from(from)};
}

// Uploads that are not finished, of those who see the folder by this path.

struct UploadTarget {
  std::string id;
  Path folder;
};

std::vector<UploadTarget> uploads_to(soci::session& sql, AccountId account, const Path& folder) {
  const Holders holders = holders_of(account, folder);
  const std::string below = text_below(folder);
  const soci::rowset<soci::row> rows =
      (sql.prepare << "SELECT id, folder FROM uploads WHERE account_id BETWEEN :first AND :last "
                      "AND state <> 'done' AND "
                   << within_of("folder"),
       soci::use(holders.first, "first"), soci::use(holders.last, "last"),
       soci::use(folder.str(), "scope"), soci::use(below, "below"));
  return select_all(rows, [](const soci::row& row) {
    return UploadTarget{row.get<std::string>(0), path_from(row.get<std::string>(1))};
  });
}

/// True if both are in the same share or connector, or both in own files: then an upload's quota
/// and rights are the same. Own folders may be anywhere in own files.
bool are_in_one_place(const Path& one, const Path& other) {
  const auto mount_of = [](const Path& path) {
    const std::string_view top = path.front();
    const bool is_mount = top.starts_with(kSharePrefix) || top.starts_with(kConnectorPrefix);
    return is_mount ? top : std::string_view();
  };
  return mount_of(one) == mount_of(other);
}

void move_uploads(soci::session& sql, const ChangedFolder& changed,
                  const ScopeChanges::Follow& follow) {
  for (const UploadTarget& upload : uploads_to(sql, changed.account, changed.path)) {
    const auto folder = follow(upload.folder);
    if (!folder || !are_in_one_place(*folder, upload.folder)) continue;
    sql << "UPDATE uploads SET folder = :folder WHERE id = :id", soci::use(folder->str(), "folder"),
        soci::use(upload.id, "id");
  }
}

void set_scope(soci::session& sql, const KeyInTransit& key, const Path& scope) {
  sql << "UPDATE api_keys SET scope = :scope, change_id = NULL WHERE id = :id",
      soci::use(scope.str(), "scope"), soci::use(key.id, "id");
}

RevokedKey note_revocation(soci::session& sql, const KeyInTransit& key, std::string_view why) {
  RevokedKey revoked{KeyId{key.id}, name_of(sql, key.account), key.scope};
  note(sql, key.is_link ? AuditKind::link_ended : AuditKind::key_revoked, {}, revoked.account,
       fmt::format("id={}, folder={}, {}", key.id, key.scope.str(), why));
  return revoked;
}

/// Call it in a transaction that bumped the generation.
std::vector<RevokedKey> end_change(soci::session& sql, const std::string& id,
                                   const ScopeChanges::Follow& follow,
                                   ScopeChanges::Outcome outcome) {
  const auto changed = remove(sql, id);
  if (changed) move_uploads(sql, *changed, follow);
  std::vector<RevokedKey> revoked;
  for (const KeyInTransit& key : keys_in(sql, id)) {
    auto scope = follow(key.scope);
    const bool is_others = changed && key.account != changed->account;
    if (is_others && scope && *scope != key.scope && !is_in_share(*scope)) scope.reset();
    if (scope) {
      set_scope(sql, key, *scope);
    } else if (outcome == ScopeChanges::Outcome::unknown) {
      revoked.push_back(note_revocation(sql, key, "its change was interrupted"));
    }
  }
  sql << "DELETE FROM api_keys WHERE change_id = :id", soci::use(id, "id");
  return revoked;
}

/// True for a move of what only keys of its own account open: other accounts need not wait for its
/// end, which may be up to a server. What they change at its new place ends its keys instead.
bool gives_way(const ScopeChange& change, AccountId account) {
  return change.account != account && !is_in_share(change.from);
}

/// True if `relates` holds for a folder that is being changed, and `account` has to wait for that.
template <class Relates>
bool any_changing(soci::session& sql, AccountId account, Relates relates) {
  return std::ranges::any_of(select(sql), [&](const ScopeChange& change) {
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

/// True if a change in progress concerns the folder, one above it, or one below it.
bool is_changing(soci::session& sql, AccountId account, const Path& folder) {
  return any_changing(sql, account, [&](const Path& path) { return are_related(path, folder); });
}

/// The moves of other accounts that are on their way to the folder in a share, to one above it, or
/// below it, and give way.
std::vector<ScopeChange> on_their_way(soci::session& sql, AccountId account, const Path& folder) {
  auto moves = select(sql);
  std::erase_if(moves, [&](const ScopeChange& move) {
    return !gives_way(move, account) || !move.to || !is_in_share(*move.to) ||
           !are_related(*move.to, folder);
  });
  return moves;
}

/// Revokes the keys of other accounts' moves whose new folder the change takes away. Returns true
/// if there were any.
bool revoke_on_their_way(soci::session& sql, const ScopeChange& change) {
  bool any = false;
  for (const ScopeChange& move : on_their_way(sql, change.account, change.from)) {
    for (const KeyInTransit& key : keys_in(sql, move.id)) {
      const Path folder = *move.to / key.scope.relative_to(move.from);
      if (!folder.is_within(change.from)) continue;
      note_revocation(sql, key, "its new place was changed by another account while it was moved");
      sql << "DELETE FROM api_keys WHERE id = :id", soci::use(key.id, "id");
      any = true;
    }
  }
  return any;
}

}  // namespace

bool is_in_change(soci::session& sql, AccountId account, const Path& folder) {
  return any_changing(sql, account, [&](const Path& path) { return folder.is_within(path); });
}

Task<Result<ScopeChanges::Begun>> ScopeChanges::begin(std::vector<ScopeChange> changes,
                                                      Record record) {
  auto job = [&](soci::session& sql) -> Result<Begun> {
    lock(sql, Generation::auth);  // On PostgreSQL concurrent changes wait here.
    const auto is_taken = [&](const ScopeChange& change) {
      return is_changing(sql, change.account, change.from) ||
             (change.to && is_changing(sql, change.account, *change.to));
    };
    if (record != Record::made && std::ranges::any_of(changes, is_taken)) {
      return fail(
          ErrorCode::conflict,
          "The item, or one above or in it, is being moved, renamed or deleted; try again.");
    }
    Begun begun{.is_recorded = record == Record::always};
    bool any_revoked = false;
    for (const ScopeChange& change : changes) {
      any_revoked |= revoke_on_their_way(sql, change);
      put_in_transit(sql, change);
      for (KeyInTransit& key : keys_in(sql, change.id)) begun.scopes.insert(std::move(key.scope));
      begun.is_recorded |= !uploads_to(sql, change.account, change.from).empty();
    }
    begun.is_recorded |= !begun.scopes.empty();
    if (any_revoked || !begun.scopes.empty()) bump(sql, Generation::auth);
    if (!begun.is_recorded) return begun;
    for (const ScopeChange& change : changes) insert(sql, change);
    return begun;
  };
  const Turn turn = Turn::of_change(changes.at(0).account);
  const Lane lane = record == Record::always ? Lane::ordered : Lane::write;
  CO_TRY(auto begun, co_await database_.run(lane, turn, std::move(job)));
  if (lane == Lane::ordered && !begun.scopes.empty()) {
    CO_TRY_VOID(co_await flush(turn));
  }
  co_return begun;
}

Task<Result<void>> ScopeChanges::flush(Turn turn) {
  co_return co_await database_.run(Lane::write, turn, [](soci::session& sql) -> Result<void> {
    bump(sql, Generation::auth);
    return {};
  });
}

Task<Result<std::vector<RevokedKey>>> ScopeChanges::end(Turn turn, std::string id, Follow follow,
                                                        Outcome outcome) {
  bool has_keys = false;
  auto job = [&](soci::session& sql) -> Result<std::vector<RevokedKey>> {
    lock(sql, Generation::auth);
    has_keys = !keys_in(sql, id).empty();
    if (has_keys) bump(sql, Generation::auth);
    return end_change(sql, id, follow, outcome);
  };
  CO_TRY(auto revoked, co_await database_.run(Lane::ordered, turn, std::move(job)));
  if (has_keys) {
    CO_TRY_VOID(co_await flush(turn));
  }
  co_return revoked;
}

Task<Result<std::vector<RevokedKey>>> ScopeChanges::revoke_all() {
  auto job = [](soci::session& sql) -> Result<std::vector<RevokedKey>> {
    bump(sql, Generation::auth);
    const auto revoke = [](const Path&) { return std::optional<Path>(); };
    std::vector<RevokedKey> all;
    for (const std::string& id : changes_of_keys(sql)) {
      auto revoked = end_change(sql, id, revoke, Outcome::unknown);
      std::ranges::move(revoked, std::back_inserter(all));
    }
    sql << "DELETE FROM scope_changes";
    return all;
  };
  co_return co_await database_.run(Lane::write, Turn::server(), std::move(job));
}

Task<Result<bool>> ScopeChanges::concerns(AccountId account, Path folder) {
  auto job = [&](soci::session& sql) -> Result<bool> {
    return any_scoped(sql, account, folder) || !uploads_to(sql, account, folder).empty() ||
           is_changing(sql, account, folder) || !on_their_way(sql, account, folder).empty();
  };
  co_return co_await database_.run(Lane::read, Turn::of_change(account), std::move(job));
}

}  // namespace coffer::catalog
