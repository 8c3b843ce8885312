#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "async/task.h"
#include "base/error.h"
#include "base/id.h"
#include "base/path.h"
#include "catalog/key.h"
#include "catalog/turn.h"

namespace coffer::sql {
class Connection;
}

namespace coffer::catalog {

class Database;

/// A rename, move or deletion of a folder to which keys may be limited. Paths start at the
/// account's root and contain no symbolic links, like the scopes of keys (see Key::folder).
struct ScopeChange {
  std::string id;
  AccountId account;  ///< The account that changes the folder.
  Path from;
  std::optional<Path> to;  ///< Absent: the folder is deleted.
};

/// A key, link or share that ended because it is not known whether its folder was changed.
struct RevokedKey {
  KeyId id;
  KeyKind kind = KeyKind::api_key;
  std::string account;  ///< The account's name.
  Path scope;
};

/// The records of folder changes that are in progress. From `begin` to `end`, the keys that are
/// limited to the folder or to a folder below it are in transit: they give no access. If
/// the folder is in a share, the keys of all accounts are in transit; otherwise only the keys of
/// the account that changes the folder. Unfinished uploads into these folders follow them, if they
/// stay in the same place: the account's own files, the share or the connector. Safe from any
/// thread. Changes of keys are durable when the call returns.
class ScopeChanges {
 public:
  explicit ScopeChanges(Database& database) : database_(database) {}

  enum class Record : std::uint8_t { if_keys, always, made };
  struct Begun {
    std::set<Path> scopes = {};  ///< Of the keys in transit.
    bool is_recorded = false;
  };
  /// Begins the change of a folder: puts the keys of the folder in transit and records `changes`
  /// (one for each path that leads to the folder). If no key is in transit and no upload goes to
  /// the folder, records nothing with Record::if_keys; with Record::always, a power failure can
  /// undo the record. `conflict` if another change in progress concerns one of the paths, or a
  /// folder above or below it; never with Record::made, for a change that was already made. Other
  /// accounts' moves of what is in no share are no conflict: what is changed at their new place
  /// ends their keys for it, with an audit event for each.
  Task<Result<Begun>> begin(std::vector<ScopeChange> changes, Record record = Record::if_keys);
  /// Takes the scope of a key in transit and returns its new scope, or nullopt to revoke the key.
  /// For the folder of an upload, returns the new folder, or nullopt to leave it as it is.
  using Follow = std::function<std::optional<Path>(const Path& scope)>;
  /// `unknown` if the caller cannot tell whether the folder was changed.
  enum class Outcome : std::uint8_t { known, unknown };
  /// Ends a change: gives each key in transit the scope that `follow` returns, and removes the
  /// record. If a key of another account would get a scope outside the share, revokes that key. An
  /// upload whose folder went to another place keeps the path, which leads nowhere from then on.
  /// With Outcome::unknown, records an audit event for each revoked key and returns these keys.
  /// Succeeds even if there is no such change.
  Task<Result<std::vector<RevokedKey>>> end(Turn turn, std::string id, Follow follow,
                                            Outcome outcome = Outcome::known);
  /// Revokes the keys in transit for changes of ended runs, with an audit event for each, and
  /// removes the records of these changes. Returns the revoked keys.
  Task<Result<std::vector<RevokedKey>>> revoke_ended();

  /// Returns true if a key is limited to the folder or to a folder below it, if an unfinished
  /// upload goes there, or if a change in progress concerns the folder or one above or below it,
  /// also as the new place of another account's move.
  Task<Result<bool>> concerns(AccountId account, Path folder);

 private:
  /// Makes the last change durable. On PostgreSQL it is already.
  Task<Result<void>> flush(Turn turn);

  Database& database_;
};

/// Returns true if a change in progress concerns the folder or one above it.
bool is_in_change(sql::Connection& sql, AccountId account, const Path& folder);

}  // namespace coffer::catalog
