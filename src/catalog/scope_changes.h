#pragma once

#include <functional>
#include <optional>
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
  AccountId account;  ///< Whose change it is.
  Path from;
  std::string from_identity;  ///< What tells the folder from others at its place; empty: nothing.
  std::optional<Path> to;     ///< Absent: it is deleted.
  std::string to_identity;    ///< The same for the folder that stands at `to` afterwards.
};

/// The changes under way. From `begin` to `end` the keys limited to the folder, or to one below it,
/// are in transit: their grants say so, and requests with them are refused. In a share, whose
/// folders are the same for everyone, these are the keys of all accounts, elsewhere the account's.
/// Safe from any thread; what `begin` and `end` wrote is on the disk when they return.
class ScopeChanges {
 public:
  explicit ScopeChanges(Database& database) : database_(database) {}

  /// Puts the keys in transit and notes why. False, and nothing is noted, if there are none;
  /// `exists` if another change that is not ended concerns the same folders.
  Task<Result<bool>> begin(ScopeChange change);
  /// The same for what concerns one folder by several ways, all in one step: they are noted if
  /// there are keys by any.
  Task<Result<bool>> begin(std::vector<ScopeChange> changes);
  /// The scope that a key in transit has from now on; nothing: it is revoked.
  using Follow = std::function<std::optional<Path>(const Path& scope)>;
  /// Ends a change. A key of another account that would leave a share is revoked. No such change is
  /// a success.
  Task<Result<void>> end(std::string id, Follow follow);

  /// What becomes of a key of the change's account, or of another's.
  struct KeyFate {
    std::optional<Path> scope;  ///< Nothing: it is revoked.
    bool in_doubt = false;      ///< It stays in transit, for what is left of the change.
  };
  using Decide = std::function<KeyFate(const Path& scope, bool is_own)>;
  /// Puts `rest`, which has an id of its own, in the place of a change, for the keys in doubt, if
  /// there are any; who still decides on the change itself decides nothing. No such change is a
  /// success.
  Task<Result<void>> narrow(std::string id, ScopeChange rest, Decide decide);

  /// True if a key is limited to `folder` or below it, or a change concerns it that is not ended.
  Task<Result<bool>> concerns(AccountId account, Path folder);
  /// Those that were begun and not ended, oldest first.
  Task<Result<std::vector<ScopeChange>>> list();
  /// The scopes of the keys that are in transit for it, each once.
  Task<Result<std::vector<Path>>> scopes(std::string id);

 private:
  Database& database_;
};

/// True if a change that is not ended is about the folder, one above it or one below it.
bool is_changing(soci::session& sql, AccountId account, const Path& folder);
/// The same, if a key made for the folder now could be taken along or outlive it. Where a copy from
/// a server stands nothing happens any more.
bool bars_keys(soci::session& sql, AccountId account, const Path& folder);
bool bars_keys(ScopeChange change, AccountId account, const Path& folder);
/// True if the change is about `folder`, one above it, or one below it.
bool is_about(const ScopeChange& change, AccountId account, const Path& folder);

}  // namespace coffer::catalog
