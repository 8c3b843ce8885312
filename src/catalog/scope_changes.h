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

namespace soci {
class session;
}

namespace coffer::catalog {

class Database;

/// A rename, move or deletion of a folder that keys are limited to. Paths are from the account's
/// root, without symbolic links, as the scopes of keys are.
struct ScopeChange {
  std::string id;
  AccountId account;  ///< The account that changes the folder.
  Path from;
  std::optional<Path> to;  ///< Absent: the folder is deleted.
};

/// A key or link that was revoked because the outcome of its folder's change is not known.
struct RevokedKey {
  KeyId id;
  std::string account;  ///< The account's name.
  Path scope;
};

/// The records of changes in progress. From `begin` to `end` the keys limited to the folder, or to
/// a folder below it, are in transit: requests with them are refused. If the folder is in a share,
/// this concerns the keys of all accounts, otherwise only those of the account that changes it.
/// Safe from any thread; changes are durable when a call returns.
class ScopeChanges {
 public:
  explicit ScopeChanges(Database& database) : database_(database) {}

  /// Records the changes, one for each path of one folder, and puts the folder's keys in transit,
  /// in one transaction. Returns the scopes of these keys; if there are none, records nothing.
  /// `exists` if a change in progress concerns one of the paths.
  Task<Result<std::set<Path>>> begin(std::vector<ScopeChange> changes);
  /// Returns the new scope of a key in transit; nullopt revokes the key.
  using Follow = std::function<std::optional<Path>(const Path& scope)>;
  enum class Outcome : std::uint8_t { known, unknown };
  /// Ends a change: gives each key in transit the scope that `follow` returns, and removes the
  /// record. Revokes a key of another account whose scope would leave the share. With
  /// Outcome::unknown, records an audit event for each revoked key and returns these keys. Succeeds
  /// if there is no such change.
  Task<Result<std::vector<RevokedKey>>> end(std::string id, Follow follow,
                                            Outcome outcome = Outcome::known);
  /// Revokes all keys in transit, with an audit event for each, and removes all records. Returns
  /// the revoked keys. Call it at the start of a server, when no change is in progress.
  Task<Result<std::vector<RevokedKey>>> revoke_all();

  /// Returns true if a key is limited to `folder` or below it, or `is_changing` is true for it.
  Task<Result<bool>> concerns(AccountId account, Path folder);

 private:
  Database& database_;
};

/// Returns true if a change in progress concerns the folder, a folder above it or one below it.
bool is_changing(soci::session& sql, AccountId account, const Path& folder);

}  // namespace coffer::catalog
