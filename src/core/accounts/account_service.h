#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "async/pool.h"
#include "async/task.h"
#include "base/error.h"
#include "catalog/catalog.h"
#include "core/namespace/mounts.h"
#include "core/namespace/principal.h"

namespace coffer::core {

/// What an administrator says of an account; absent fields stay as they are, or take their default.
struct AccountPatch {
  std::optional<std::string> display_name;  ///< 1 to 100 characters; the name by default.
  std::optional<catalog::Role> role;
  std::optional<bool> disabled;
  std::optional<std::uint64_t> quota_bytes;  ///< 0: unlimited.
  std::optional<std::string> password;       ///< 8 to 1024 bytes.
  std::optional<std::string> preferences;    ///< A JSON object.
  std::optional<catalog::Asker> asker = {};  ///< Nothing: the command line.
};

/// An account as administrators see it.
struct AccountOverview {
  catalog::Account account;
  catalog::Usage usage;
  std::optional<Timestamp> last_seen;
};

/// What is to become of a removed account's files.
enum class FileFate : std::uint8_t { kept, purged };

/// Accounts, as administrators manage them. Safe from any thread.
class AccountService {
 public:
  AccountService(catalog::Catalog& catalog, HomeDirectories& homes, Pool& pool)
      : catalog_(catalog), homes_(homes), pool_(pool) {}

  /// Makes an account and its folder. `invalid` for a name that is not 1 to 64 of `a-z0-9._-`
  /// beginning with a letter or digit, `exists` for one that is taken. Its folder is new, also
  /// where an account of this name was removed.
  Task<Result<catalog::Account>> add(std::string name, AccountPatch patch);
  /// On a catalog without any account, the token that makes the first one; those given before count
  /// no more. Nothing where there is an account.
  Task<Result<std::optional<std::string>>> offer_setup();
  Task<Result<bool>> is_setup_open();
  /// Calls `done` when set-up has made an account. To be set before the service is used.
  void on_set_up(std::function<void()> done) { on_set_up_ = std::move(done); }
  /// Makes the first account, an administrator. As `add`, and `forbidden` where the token does not
  /// count, or there is an account already.
  Task<Result<catalog::Account>> set_up(std::string_view token, std::string name,
                                        AccountPatch patch);
  /// Up to `most` accounts by name, those after that name.
  Task<Result<std::vector<AccountOverview>>> list(std::string after, std::size_t most);
  /// The names of all accounts.
  Task<Result<std::map<AccountId, std::string>>> names();
  /// `not_found` if there is no such account.
  Task<Result<AccountOverview>> show(std::string name);
  /// `not_found` if there is no such account.
  Task<Result<catalog::Account>> change(std::string name, AccountPatch patch);
  /// What the principal changes of its own account: its display name and preferences.
  Task<Result<catalog::Account>> change_own(const Principal& principal, AccountPatch patch);
  /// Removes the account and its keys, and returns what it was; its files stay on disk unless they
  /// are to be purged, which may take long and fail with `failed` when the account is gone.
  Task<Result<catalog::Account>> remove(std::string name, std::optional<catalog::Asker> asker = {},
                                        FileFate files = FileFate::kept);
  /// What the principal's own files hold, and its limit.
  Task<Result<catalog::Usage>> usage(const Principal& principal);

 private:
  Task<Result<std::vector<AccountOverview>>> overviews(std::vector<catalog::Account> accounts);
  Task<Result<std::string>> hashed(std::optional<std::string> password);
  Task<Result<catalog::Account>> change_by_id(AccountId id, AccountPatch patch);
  Task<Result<catalog::NewAccount>> described(std::string name, AccountPatch patch);
  Task<Result<catalog::Account>> with_home(Result<catalog::Account> account);

  catalog::Catalog& catalog_;
  HomeDirectories& homes_;
  Pool& pool_;
  std::function<void()> on_set_up_;
};

}  // namespace coffer::core
