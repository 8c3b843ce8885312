#pragma once

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

/// The name of a person at a provider of sign-in. An issuer gives a subject to one person only,
/// ever (OpenID Connect Core 1.0, section 2); nothing else that it says names a person.
struct IdentityName {
  std::string issuer;
  std::string subject;

  bool operator==(const IdentityName&) const = default;
};

/// A person at a provider, and the account that the person signs in to.
struct Identity {
  std::string id;
  IdentityName name;
  AccountId account;
  Timestamp made_at{};
  Timestamp last_at{};  ///< The last sign-in; that of the link if there was none.
};

/// The identities in the catalog: each belongs to one account, an account may have several. Safe
/// from any thread.
class Identities {
 public:
  explicit Identities(Database& database) : database_(database) {}

  /// Returns the account of the identity, which may be disabled, and notes the sign-in; nullopt if
  /// the identity is not known.
  Task<Result<std::optional<Account>>> sign_in(IdentityName name);
  /// Returns the account of the identity, as `sign_in` does, and notes nothing.
  Task<Result<std::optional<Account>>> find(IdentityName name);
  /// Adds an account that has the identity. If the identity has an account already, returns that
  /// one instead. `exists` if the account's name is taken. `address` is the client's address.
  Task<Result<Account>> add_account(NewAccount account, IdentityName name, std::string address);
  /// Gives the identity to an account. Does nothing if the account has it. `exists` if another
  /// account has it; `rate_limited` if the account has kMostIdentities; `not_found` if there is no
  /// such account.
  Task<Result<void>> link(AccountId account, IdentityName name, std::optional<Asker> asker = {});
  /// Returns the account's identities, oldest first.
  Task<Result<std::vector<Identity>>> list(AccountId account);
  /// Takes an identity from the account. `not_found` if the account has none with this id.
  /// `conflict` if the account then has neither a password nor an identity, so that nobody could
  /// sign in to it; the command line may do that.
  Task<Result<void>> unlink(AccountId account, std::string id, std::optional<Asker> asker = {});

 private:
  Database& database_;
};

}  // namespace coffer::catalog
