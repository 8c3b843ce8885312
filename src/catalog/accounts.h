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

/// The folder of an account that was removed.
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
  /// `conflict` unless this is the account's password hash.
  std::optional<std::string> if_password_hash;
  std::optional<SessionId> kept_session;  ///< A session that does not end.
  std::optional<Asker> asker;             ///< An asker cannot remove the last administrator.
};

/// The accounts in the catalog. Safe from any thread. Changes take effect with the next request, in
/// every process that uses the catalog.
class Accounts {
 public:
  explicit Accounts(Database& database) : database_(database) {}

  /// `exists` if the name is taken.
  Task<Result<Account>> add(NewAccount account);
  /// `not_found` if there is none.
  Task<Result<Account>> find(std::string name);
  Task<Result<Account>> get(AccountId id);
  /// Returns all accounts, by name.
  Task<Result<std::vector<Account>>> list();
  /// Returns the last use of each account's present sessions and keys, up to a minute late.
  Task<Result<std::map<AccountId, Timestamp>>> last_seen();
  /// Ends the account's sessions if it gets a new password or role, or is disabled. `forbidden` if
  /// an asker would leave no administrator with access.
  Task<Result<Account>> change(AccountId id, AccountChange change);
  /// Replaces the hash `old` of the same password; does nothing if the account has another hash.
  Task<Result<void>> renew_hash(AccountId id, std::string old, std::string fresh);
  /// Removes the account, its keys, connectors and tasks, and its access to shares, and notes its
  /// home. The caller deletes its files or keeps them. `forbidden` as `change`.
  Task<Result<void>> remove(AccountId id, std::optional<Asker> asker = {});
  /// Returns the homes of removed accounts, by name. Their files may be gone.
  Task<Result<std::vector<RemovedHome>>> removed_homes();

 private:
  Database& database_;
};

}  // namespace coffer::catalog
