#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "async/task.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/id.h"
#include "catalog/account.h"
#include "catalog/credential.h"
#include "catalog/turn.h"

namespace coffer::catalog {

class Database;

/// The home of an account that was removed. A home is the folder of an account's own files on disk.
struct RemovedHome {
  std::string home;
  std::string account_name;
  Timestamp removed_at{};
};

/// A change of an account. Absent fields do not change.
struct AccountChange {
  std::optional<std::string> display_name;
  std::optional<Role> role;
  std::optional<bool> disabled;
  std::optional<std::uint64_t> quota_bytes;
  std::optional<std::string> password_hash;
  std::optional<std::string> preferences;
  /// The expected password hash; `conflict` if the account has another one.
  std::optional<std::string> if_password_hash;
  std::optional<SessionId> kept_session;  ///< A session that the change does not end.
  std::optional<Asker> asker;             ///< The caller; absent for the command line.
};

/// The accounts in the catalog. Safe from any thread. Changes take effect with the next request, in
/// every process that uses the catalog.
class Accounts {
 public:
  explicit Accounts(Database& database) : database_(database) {}

  /// Adds an account; `exists` if the name is taken.
  Task<Result<Account>> add(NewAccount account);
  /// Returns the account with this name; `not_found` if there is none.
  Task<Result<Account>> find(Turn turn, std::string name);
  Task<Result<Account>> get(AccountId id);
  /// Returns all accounts, sorted by name.
  Task<Result<std::vector<Account>>> list();
  /// Returns when each account last used one of its sessions or API keys; may lag by a minute.
  Task<Result<std::map<AccountId, Timestamp>>> last_seen();
  /// Changes an account. If it gets a new password or role, or is disabled, ends its sessions.
  /// `forbidden` if an asker's change would leave no administrator who can log in: one who is not
  /// disabled and has a password or an API key without limits. The command line may do this.
  Task<Result<Account>> change(AccountId id, AccountChange change);
  /// Replaces the account's password hash `old` by `fresh`, another hash of the same password. Does
  /// nothing if the account's hash is not `old`.
  Task<Result<void>> renew_hash(AccountId id, std::string old, std::string fresh);
  /// Removes the account with its keys, sessions, connectors and tasks, and its access to shares.
  /// Keeps its files, and lists its home in `removed_homes`. `forbidden` as in `change`.
  Task<Result<void>> remove(AccountId id, std::optional<Asker> asker = {});
  /// Returns the homes of removed accounts, sorted by `home`. Some may be gone from the disk.
  Task<Result<std::vector<RemovedHome>>> removed_homes();

 private:
  Database& database_;
};

}  // namespace coffer::catalog
