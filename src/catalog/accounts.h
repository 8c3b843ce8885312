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

namespace coffer::catalog {

class Database;

/// The home, a folder on disk, of an account that was removed.
struct RemovedHome {
  std::string home;
  std::string account_name;
  Timestamp removed_at{};
};

/// A change of an account; absent fields stay.
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
  std::optional<Asker> asker;             ///< The caller; cannot remove the last administrator.
};

/// The accounts in the catalog. Safe from any thread. Changes take effect with the next request, in
/// every process that uses the catalog.
class Accounts {
 public:
  explicit Accounts(Database& database) : database_(database) {}

  /// Adds an account; `exists` if the name is taken.
  Task<Result<Account>> add(NewAccount account);
  /// Returns the account of this name; `not_found` if there is none.
  Task<Result<Account>> find(std::string name);
  Task<Result<Account>> get(AccountId id);
  /// Returns all accounts, by name.
  Task<Result<std::vector<Account>>> list();
  /// Returns the last use of each account's present sessions and keys. It may lag by a minute.
  Task<Result<std::map<AccountId, Timestamp>>> last_seen();
  /// Changes an account. Ends its sessions if it gets a new password or role, or is disabled.
  /// `forbidden` if the change has an asker and would leave no administrator with access.
  Task<Result<Account>> change(AccountId id, AccountChange change);
  /// Replaces the password hash `old` by `fresh`, another hash of the same password. Does nothing
  /// if the account's hash is not `old`.
  Task<Result<void>> renew_hash(AccountId id, std::string old, std::string fresh);
  /// Removes the account with its keys, sessions, connectors and tasks and its access to shares.
  /// Adds its home to `removed_homes`; the caller decides whether to delete the files. `forbidden`
  /// if there is an asker and no administrator with access would be left.
  Task<Result<void>> remove(AccountId id, std::optional<Asker> asker = {});
  /// Returns the homes of removed accounts, by the homes' names. Their files may be gone.
  Task<Result<std::vector<RemovedHome>>> removed_homes();

 private:
  Database& database_;
};

}  // namespace coffer::catalog
