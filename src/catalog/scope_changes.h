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

/// A rename, move or deletion of a folder that keys are limited to. Paths are scopes: from the
/// account's root, without links.
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

/// The records of changes under way. From `begin` to `end` the keys limited to the folder, or to
/// one below it, are in transit: requests with them are refused. In a share these are the keys of
/// all accounts, elsewhere only the account's. Safe from any thread; changes are durable when a
/// call returns.
class ScopeChanges {
 public:
  explicit ScopeChanges(Database& database) : database_(database) {}

  /// Notes the changes, which concern one folder by several paths, and puts their keys in transit,
  /// in one transaction. Returns the scopes of these keys; if there are none, notes nothing.
  /// `exists` if a change under way concerns the same folders.
  Task<Result<std::set<Path>>> begin(std::vector<ScopeChange> changes);
  /// Returns the new scope of a key in transit; nullopt revokes the key.
  using Follow = std::function<std::optional<Path>(const Path& scope)>;
  enum class Outcome : std::uint8_t { known, unknown };
  /// Gives the keys their new scopes and removes the record. Revokes a key of another account that
  /// would leave a share. If the outcome of the change is unknown, notes an event in the audit log
  /// for each revoked key and returns these keys. Succeeds if there is no such change.
  Task<Result<std::vector<RevokedKey>>> end(std::string id, Follow follow,
                                            Outcome outcome = Outcome::known);
  /// For the start of a server, when no change is under way: revokes all keys in transit, with an
  /// event in the audit log for each, and removes all records. Returns these keys.
  Task<Result<std::vector<RevokedKey>>> revoke_all();

  /// True if a key is limited to `folder` or below it, or a change under way concerns it.
  Task<Result<bool>> concerns(AccountId account, Path folder);

 private:
  Database& database_;
};

/// True if a change under way concerns the folder, one above it or one below it.
bool is_changing(soci::session& sql, AccountId account, const Path& folder);

}  // namespace coffer::catalog
