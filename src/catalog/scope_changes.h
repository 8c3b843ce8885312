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

/// A change of the name or place of a folder that keys are limited to, or its deletion. Paths are
/// scopes: from the account's root, without links.
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

/// Notes of the changes under way. From `begin` to `end` the keys limited to the folder, or to one
/// below it, are in transit: their grants say so, and requests with them are refused. In a share,
/// whose folders are the same for everyone, these are the keys of all accounts, elsewhere the
/// account's. Safe from any thread; what a call wrote is on the disk when it returns.
class ScopeChanges {
 public:
  explicit ScopeChanges(Database& database) : database_(database) {}

  /// Notes the changes, which concern one folder by several paths, and puts their keys in transit,
  /// all in one step. Returns the scopes of these keys; without any, nothing is noted. `exists` if
  /// a change that is not ended concerns the same folders.
  Task<Result<std::set<Path>>> begin(std::vector<ScopeChange> changes);
  /// The scope that a key in transit gets; nullopt revokes it.
  using Follow = std::function<std::optional<Path>(const Path& scope)>;
  enum class Outcome : std::uint8_t { known, unknown };
  /// Gives the keys their scopes and removes the note. A key of another account that would leave a
  /// share is revoked. If the outcome of the change is unknown, the audit log gets an event for
  /// each key that is revoked, and these keys are returned. Succeeds if there is no such change.
  Task<Result<std::vector<RevokedKey>>> end(std::string id, Follow follow,
                                            Outcome outcome = Outcome::known);
  /// Revokes all keys in transit, with an event in the audit log for each, and removes all notes:
  /// for the start of a server, when no change is under way. Returns these keys.
  Task<Result<std::vector<RevokedKey>>> revoke_all();

  /// True if a key is limited to `folder` or below it, or a change concerns it that is not ended.
  Task<Result<bool>> concerns(AccountId account, Path folder);

 private:
  Database& database_;
};

/// True if a change that is not ended is about the folder, one above it or one below it.
bool is_changing(soci::session& sql, AccountId account, const Path& folder);

}  // namespace coffer::catalog
