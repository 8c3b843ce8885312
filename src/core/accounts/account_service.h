#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "async/pool.h"
#include "async/task.h"
#include "base/enum_words.h"
#include "base/error.h"
#include "catalog/catalog.h"
#include "core/namespace/mounts.h"
#include "core/namespace/principal.h"

namespace coffer::core {

/// Changes to an account; absent fields keep their value, or take their default for a new account.
struct AccountPatch {
  std::optional<std::string> display_name;  ///< 1 to 100 characters; the name by default.
  std::optional<catalog::Role> role;
  std::optional<bool> disabled;
  std::optional<std::uint64_t> quota_bytes;  ///< 0: unlimited.
  std::optional<std::string> password;       ///< 8 to 1024 bytes.
  std::optional<std::string> preferences;    ///< A JSON object.
  std::optional<catalog::Asker> asker = {};  ///< nullopt for the command line.
};

/// An account as administrators see it.
struct AccountOverview {
  catalog::Account account;
  catalog::Usage usage;
  std::optional<Timestamp> last_seen;
  std::string home_folder;  ///< The folder of its own files on the server's disk.
};

/// The fate of a removed account's files.
enum class FileFate : std::uint8_t { kept, purged };
/// The words of requests.
constexpr auto words_of(FileFate) {
  return enum_words<FileFate>({{FileFate::kept, "keep"}, {FileFate::purged, "purge"}});
}

/// Manages accounts. Safe from any thread.
class AccountService {
 public:
  AccountService(catalog::Catalog& catalog, HomeDirectories& homes, Pool& pool)
      : catalog_(catalog), homes_(homes), pool_(pool) {}

  /// Creates an account and its folder, which is a new one even if an account of this name was
  /// removed. `invalid` unless the name is 1 to 64 of `a-z0-9._-` and begins with a letter or
  /// digit; `exists` for a name that is taken.
  Task<Result<catalog::Account>> add(std::string name, AccountPatch patch);
  /// Returns a token for `set_up`, which invalidates earlier tokens; nullopt once there is an
  /// account.
  Task<Result<std::optional<std::string>>> offer_setup();
  Task<Result<bool>> is_setup_open();
  /// Registers a callback for a completed set-up. Call it before the service is used.
  void on_set_up(std::function<void()> done) { on_set_up_ = std::move(done); }
  /// Creates the first account, an administrator. Fails as `add` does, and with `forbidden` for an
  /// invalid token or if there is an account already.
  Task<Result<catalog::Account>> set_up(std::string_view token, std::string name,
                                        AccountPatch patch);
  /// Returns up to `most` accounts in the order of their names, from behind the name `after`.
  Task<Result<std::vector<AccountOverview>>> list(std::string after, std::size_t most);
  /// Returns the names of all accounts.
  Task<Result<std::map<AccountId, std::string>>> names();
  /// `not_found` if there is no such account.
  Task<Result<AccountOverview>> show(std::string name);
  /// `not_found` if there is no such account.
  Task<Result<catalog::Account>> change(std::string name, AccountPatch patch);
  /// Changes the display name and preferences of the principal's own account; ignores the rest.
  Task<Result<catalog::Account>> change_own(const Principal& principal, AccountPatch patch);
  /// Removes the account and its keys, and returns the account. Purging its files may take long; if
  /// that fails, the account is removed and the result is `failed`.
  Task<Result<catalog::Account>> remove(std::string name, std::optional<catalog::Asker> asker = {},
                                        FileFate files = FileFate::kept);
  /// Returns the bytes that the principal's own files use, and its limit.
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
