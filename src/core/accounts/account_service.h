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
#include "core/sessions/password_queue.h"

namespace coffer::core {

/// Changes to an account, or the fields of a new one. Absent fields do not change. In a new
/// account, absent fields get their defaults; `disabled` and `preferences` are ignored.
struct AccountPatch {
  std::optional<std::string> display_name;  ///< 1 to 100 characters; default: the account's name.
  std::optional<catalog::Role> role;
  std::optional<bool> disabled;
  std::optional<std::uint64_t> quota_bytes;  ///< 0: unlimited.
  std::optional<NewPassword> password;
  std::optional<std::string> preferences;    ///< A JSON object.
  std::optional<catalog::Asker> asker = {};  ///< The caller; nullopt for the command line.
};

/// An account as administrators see it.
struct AccountOverview {
  catalog::Account account;
  catalog::Usage usage;
  std::optional<Timestamp> last_seen;
  bool has_second_factor = false;  ///< See catalog::SecondFactor::is_on.
  std::string home_folder;         ///< The folder of the account's own files on disk.
};

/// The treatment of a removed account's files.
enum class FileFate : std::uint8_t { kept, purged };
constexpr auto words_of(FileFate) {
  return enum_words<FileFate>({{FileFate::kept, "keep"}, {FileFate::purged, "purge"}});
}

/// Manages accounts. Safe from any thread.
class AccountService {
 public:
  AccountService(catalog::Catalog& catalog, HomeDirectories& homes, Pool& pool,
                 PasswordQueue& passwords)
      : catalog_(catalog), homes_(homes), pool_(pool), passwords_(passwords) {}

  /// Creates an account and its folder. The folder is new, even if a removed account had the same
  /// name. A name has 1 to 64 characters of `a-z0-9._-` and begins with a letter or digit. Errors:
  /// - `invalid` if the name or a field of `patch` is invalid
  /// - `exists` if the name is taken
  /// - `rate_limited` and `overloaded` as PasswordQueue::enter, if a password is set
  Task<Result<catalog::Account>> add(std::string name, AccountPatch patch);
  /// Creates an account without a password for a person at a provider, as `add` does, and gives it
  /// the identity. If the identity has an account already, returns that one instead. `address` is
  /// the client's address. Errors: `invalid` and `exists` as `add`.
  Task<Result<catalog::Account>> add_with_identity(std::string name, AccountPatch patch,
                                                   catalog::IdentityName identity,
                                                   std::string address);
  /// Returns a new token for `set_up` and invalidates earlier tokens. Returns nullopt if there is
  /// an account already.
  Task<Result<std::optional<std::string>>> offer_setup();
  /// Returns true if there is no account yet.
  Task<Result<bool>> is_setup_open();
  /// Sets a function that is called whenever an account was created, because set-up is over then.
  /// Call this before the service is used.
  void on_set_up(std::function<void()> done) { on_set_up_ = std::move(done); }
  /// Creates the first account, an administrator. Fails as `add` does, and with `forbidden` if the
  /// token is invalid or there is an account already; hashes no password before the token has
  /// proved valid.
  Task<Result<catalog::Account>> set_up(std::string_view token, std::string name,
                                        AccountPatch patch);
  /// Returns up to `most` accounts whose names come after `after`, sorted by name.
  Task<Result<std::vector<AccountOverview>>> list(std::string after, std::size_t most);
  Task<Result<std::map<AccountId, std::string>>> names();
  /// Returns an account; `not_found` if there is no such account.
  Task<Result<AccountOverview>> show(std::string name);
  /// Changes an account and returns it; `not_found` if there is no such account; `rate_limited` and
  /// `overloaded` as for `add`.
  Task<Result<catalog::Account>> change(std::string name, AccountPatch patch);
  /// Changes the display name and preferences of the principal's own account, and returns it.
  /// Ignores the other fields of `patch`.
  Task<Result<catalog::Account>> change_own(const Principal& principal, AccountPatch patch);
  /// Removes an account and its keys, and returns the account. With FileFate::purged, also deletes
  /// the account's files, which may take long. If this deletion fails, the account is removed
  /// nevertheless, and the result is `failed`. `unready` while the files are being moved.
  Task<Result<catalog::Account>> remove(std::string name, std::optional<catalog::Asker> asker = {},
                                        FileFate files = FileFate::kept);
  /// Returns the used and reserved bytes and the limit of the principal's account.
  Task<Result<catalog::Usage>> usage(const Principal& principal);

 private:
  Task<Result<std::vector<AccountOverview>>> overviews(std::vector<catalog::Account> accounts);
  Task<Result<std::string>> hashed(std::optional<NewPassword> password);
  Task<Result<catalog::Account>> change_by_id(AccountId id, AccountPatch patch);
  Task<Result<void>> check_is_free(std::string name);
  Task<Result<catalog::NewAccount>> described(std::string name, AccountPatch patch);
  Task<Result<catalog::Account>> with_home(Result<catalog::Account> account);

  catalog::Catalog& catalog_;
  HomeDirectories& homes_;
  Pool& pool_;
  PasswordQueue& passwords_;
  std::function<void()> on_set_up_;
};

}  // namespace coffer::core
