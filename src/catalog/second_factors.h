#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "async/task.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/id.h"
#include "catalog/credential.h"

namespace coffer::sql {
class Connection;
}

namespace coffer::catalog {

class Database;

/// An authenticator: a program that shows codes by time (RFC 6238).
struct Totp {
  std::string sealed_secret;
  Timestamp confirmed_at{};  ///< The epoch: no code was shown yet, so none is asked for.

  bool is_confirmed() const { return confirmed_at != Timestamp(); }
};

/// What an account has besides its password.
struct SecondFactor {
  std::optional<Totp> totp = {};
  std::size_t passkeys = 0;
  std::size_t recovery_codes = 0;  ///< Those that were not used.

  bool has_totp() const { return totp && totp->is_confirmed(); }
  /// True if the password alone opens no session.
  bool is_on() const { return has_totp() || passkeys > 0; }
};

/// The time step of a code (RFC 6238, section 4.2).
struct TotpStep {
  std::int64_t number = 0;
};
/// A passkey whose answer was checked.
struct UsedPasskey {
  std::string id;
  std::int64_t counter = 0;  ///< As the authenticator showed it.
  bool is_backed_up = false;
};
/// What a change uses up or notes the use of: a code of an authenticator, a recovery code by its
/// hash, or a passkey.
using UsedFactor = std::variant<TotpStep, SecretHash, UsedPasskey>;

/// The second factors in the catalog. Safe from any thread.
class SecondFactors {
 public:
  explicit SecondFactors(Database& database) : database_(database) {}

  Task<Result<SecondFactor>> find(AccountId account);
  /// Returns the accounts for which a second factor is on.
  Task<Result<std::set<AccountId>>> accounts();
  /// Returns how many accounts have an authenticator.
  Task<Result<std::int64_t>> count_totp();
  /// Stores an authenticator that is not confirmed, in the place of another such one. `exists` if
  /// the account has one that is.
  Task<Result<void>> begin_totp(AccountId account, std::string sealed_secret,
                                std::optional<Asker> asker);
  /// Confirms the authenticator with this sealed secret by a code of `step`, and stores the
  /// recovery codes. `changed` if the account has no such authenticator that waits for that.
  Task<Result<void>> confirm_totp(AccountId account, std::string sealed_secret, TotpStep step,
                                  std::vector<SecretHash> codes, std::optional<Asker> asker);
  /// Replaces the recovery codes. `changed` if no second factor is on.
  Task<Result<void>> replace_codes(AccountId account, std::vector<SecretHash> codes,
                                   std::optional<Asker> asker);
  /// Removes the authenticator, and the recovery codes if the account has no passkey either.
  /// `not_found` if there is no authenticator.
  Task<Result<void>> remove_totp(AccountId account, std::optional<Asker> asker);
  /// Removes authenticator, passkeys and recovery codes. `not_found` if no second factor is on.
  Task<Result<void>> remove(AccountId account, std::optional<Asker> asker);

 private:
  Database& database_;
};

/// Uses the factor up within a transaction. `unauthenticated` if it is a code that was used already
/// or a passkey that was removed; or if the account's second factor is on and there is none, or is
/// off and there is one.
Result<void> use_factor(sql::Connection& sql, AccountId account,
                        const std::optional<UsedFactor>& factor);

/// Returns a condition of SQL for an account's second factor being on (SecondFactor::is_on). It
/// names the account by `account`, such as "a.id".
std::string second_factor_condition(std::string_view account);
/// Replaces the recovery codes within a transaction.
void store_recovery_codes(sql::Connection& sql, AccountId account,
                          const std::vector<SecretHash>& codes);
/// Deletes the recovery codes within a transaction if the account's second factor is off.
void drop_idle_recovery_codes(sql::Connection& sql, AccountId account);
/// Returns true if the account's second factor is on.
bool has_second_factor(sql::Connection& sql, AccountId account);

}  // namespace coffer::catalog
