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

/// What a provider of sign-in says of an account's rights. Absent fields do not change.
struct ClaimedRights {
  std::optional<Role> role;
  std::optional<std::uint64_t> quota_bytes;
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
  /// Returns how many accounts have their own files in each store; nullopt stands for those that
  /// have no note of it.
  Task<Result<std::map<std::optional<HomeStore>, std::uint64_t>>> home_stores();
  /// Returns when each account last used one of its sessions or API keys; may lag by a minute.
  Task<Result<std::map<AccountId, Timestamp>>> last_seen();
  /// Changes an account. If it gets a new password or role, or is disabled, ends its sessions.
  /// `forbidden` if an asker's change would leave no administrator who can log in: one who is not
  /// disabled and has a password, an identity or an API key without limits. The command line may do
  /// this.
  Task<Result<Account>> change(AccountId id, AccountChange change);
  /// Gives an account the rights that its provider says. If the role changes, ends the account's
  /// sessions. The last administrator who can log in stays one (see `change`). The details of the
  /// note in the audit log end with `source`; `address` is the client's address.
  Task<Result<Account>> follow(AccountId id, ClaimedRights rights, std::string source,
                               std::string address);
  /// Returns the account as `follow` would make it, and changes nothing.
  Task<Result<Account>> foresee(AccountId id, ClaimedRights rights);
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
