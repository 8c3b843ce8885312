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
  /// `conflict` unless it is the one that the account has.
  std::optional<std::string> if_password_hash;
  std::optional<SessionId> kept_session;  ///< The one that asked for it goes on.
  std::optional<Asker> asker;             ///< Who cannot take away the last administrator.
};

/// The accounts in the catalog. Safe from any thread. What it changes counts from the next request
/// on, in every process that uses the catalog.
class Accounts {
 public:
  explicit Accounts(Database& database) : database_(database) {}

  /// `exists` if the name is taken.
  Task<Result<Account>> add(NewAccount account);
  /// `not_found` if there is none.
  Task<Result<Account>> find(std::string name);
  Task<Result<Account>> get(AccountId id);
  /// All, by name.
  Task<Result<std::vector<Account>>> list();
  /// When each account was last seen, by its sessions that are left and its keys; up to a minute
  /// late.
  Task<Result<std::map<AccountId, Timestamp>>> last_seen();
  /// A new password or role, or disabling, ends its sessions. `forbidden` where an asker leaves no
  /// administrator who can get in.
  Task<Result<Account>> change(AccountId id, AccountChange change);
  /// Keeps another hash of the same password, if it still has `old`.
  Task<Result<void>> renew_hash(AccountId id, std::string old, std::string fresh);
  /// Removes the account, its keys, connectors and tasks, and its part in shares, and notes its
  /// home. Its files are the caller's business. `forbidden` as `change`.
  Task<Result<void>> remove(AccountId id, std::optional<Asker> asker = {});
  /// Homes of accounts that were removed, by their names. The files may be gone.
  Task<Result<std::vector<RemovedHome>>> removed_homes();

 private:
  Database& database_;
};

}  // namespace coffer::catalog
