#pragma once

#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "async/task.h"
#include "base/error.h"
#include "catalog/catalog.h"
#include "core/connectors/sealer.h"
#include "core/identity/sign_in_rules.h"
#include "core/namespace/principal.h"
#include "core/sessions/sign_in_service.h"

namespace coffer::core {

/// The password was right, and a code is asked for.
struct SecondFactorChallenge {
  std::string token;  ///< To be shown with the code, within five minutes.
  bool has_totp = false;
  bool has_passkey = false;  ///< One of the account's passkeys does as well.
};

/// An authenticator that was not confirmed yet.
struct NewTotp {
  std::string secret;  ///< In base32 (RFC 4648, section 6), to be typed.
  std::string uri;     ///< The same with the account's name, for a QR code; see totp_uri.
};

/// Passwords and what is asked for besides them: the codes of an authenticator (TOTP, RFC 6238), or
/// in their place recovery codes, each of which counts once. Wrong codes are counted as wrong
/// passwords are. Safe from any thread.
class SecondFactorService {
 public:
  SecondFactorService(catalog::Catalog& catalog, SignInService& sign_in, const Sealer& sealer,
                      SignInRules rules = {})
      : catalog_(catalog), sign_in_(sign_in), sealer_(sealer), rules_(rules) {}

  const SignInRules& rules() const { return rules_; }

  using Outcome = std::variant<SignedIn, SecondFactorChallenge>;
  /// Opens a session with a password, if the account has no second factor. Fails as
  /// SignInService::check_password; `forbidden` if the rules let the account use no password.
  Task<Result<Outcome>> sign_in(std::string name, std::string password, SignInClient client);
  /// Returns the account that a challenge was made for; `unauthenticated` if it has expired.
  Task<Result<catalog::Account>> challenged(std::string challenge);
  /// Opens the session with the challenge and a code. `unauthenticated` if the challenge has
  /// expired, or the code is wrong or was used; `rate_limited` after too many failures.
  Task<Result<SignedIn>> complete(std::string challenge, std::string code, SignInClient client);
  /// Confirms the principal's session (see check_confirmed) with the account's password, and a
  /// code if the account has a second factor. `forbidden` if one of them is wrong; `invalid` if the
  /// code is missing; `rate_limited` and `overloaded` as for `sign_in`.
  Task<Result<void>> confirm(const Principal& principal, std::string password,
                             std::optional<std::string> code);

  Task<Result<catalog::SecondFactor>> show(const Principal& principal);
  /// Returns the accounts whose second factor is on.
  Task<Result<std::set<AccountId>>> accounts();
  /// Makes an authenticator for the principal's account, which is asked for codes once
  /// `confirm_totp` has seen one. `exists` if the account has such a one.
  Task<Result<NewTotp>> begin_totp(const Principal& principal);
  /// Turns the second factor on, and returns the recovery codes, which cannot be shown again.
  /// `forbidden` if the code is wrong; `changed` if no authenticator waits for that.
  Task<Result<std::vector<std::string>>> confirm_totp(const Principal& principal, std::string code);
  /// Removes the authenticator; passkeys stay. `not_found` if there is none.
  Task<Result<void>> remove_totp(const Principal& principal);
  /// Returns new recovery codes, and makes those of before invalid. `changed` if the second factor
  /// is not on.
  Task<Result<std::vector<std::string>>> renew_recovery_codes(const Principal& principal);
  /// Turns it off for the account with this name, for one who has lost what shows codes.
  /// `not_found` if there is no such account or second factor. For administrators.
  Task<Result<void>> remove_of(std::string name, std::optional<catalog::Asker> asker);

 private:
  struct Limits;

  std::string challenge_for(const catalog::Account& account) const;
  /// Returns what the code stands for; nullopt if it is wrong. A recovery code is looked for only
  /// when it is used.
  Result<std::optional<catalog::UsedFactor>> read(AccountId account,
                                                  const catalog::SecondFactor& factor,
                                                  std::string_view code) const;
  Task<Result<catalog::UsedFactor>> attempt(const catalog::Account& account, std::string code,
                                            const Limits& limits, std::string address);
  Task<Result<void>> succeeded(Limits limits);

  catalog::Catalog& catalog_;
  SignInService& sign_in_;
  const Sealer& sealer_;
  const SignInRules rules_;
};

}  // namespace coffer::core
