#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "async/pool.h"
#include "async/task.h"
#include "base/error.h"
#include "catalog/catalog.h"
#include "core/connectors/sealer.h"
#include "core/identity/second_factor_service.h"
#include "core/namespace/principal.h"
#include "core/sessions/sign_in_service.h"
#include "webauthn/passkey.h"

namespace coffer::core {

/// The pages that passkeys are for.
struct PasskeyDomain {
  std::string rp_id;   ///< The domain that passkeys are made for: `files.example.org`.
  std::string origin;  ///< The origin that pages have: `https://files.example.org`.

  /// Returns the domain of an origin; nullopt if browsers offer no passkeys there: it is neither
  /// HTTPS nor this machine's `localhost`, or its host is an address.
  static std::optional<PasskeyDomain> of(std::string_view origin);
};

/// What a browser needs to make a passkey for an account. Texts of bytes are in base64url.
struct PasskeyRegistration {
  std::string challenge;
  std::vector<std::int64_t> algorithms;    ///< The kinds of keys that are taken, the best first.
  std::string user_id;                     ///< Of the account: the same each time, and no name.
  std::vector<catalog::Passkey> passkeys;  ///< Those that the account has.
};

/// What a browser needs to show a passkey.
struct PasskeyRequest {
  std::string challenge;                   ///< In base64url.
  std::vector<catalog::Passkey> passkeys;  ///< Those that may be shown; empty: any.
};

/// A passkey as a browser made it.
struct MadePasskey {
  std::string client_data;         ///< JSON.
  std::string authenticator_data;  ///< Bytes.
  std::vector<std::string> transports = {};
};

/// A passkey as a browser shows it.
struct ShownPasskey {
  std::string credential_id;  ///< In base64url.
  webauthn::Assertion answer;
  std::optional<std::string> user_id = {};  ///< In base64url; absent if the browser gives none.
};

struct RegisteredPasskey {
  catalog::Passkey passkey;
  std::vector<std::string> recovery_codes;  ///< Empty if the account had a second factor before.
};

/// Passkeys (WebAuthn Level 3): how they are made, and how they open sessions. A passkey whose
/// authenticator knows its person, by a PIN or a finger, is both factors at once; others are
/// refused. Safe from any thread.
class PasskeyService {
 public:
  /// Answers are checked on the threads of `pool`.
  PasskeyService(catalog::Catalog& catalog, SignInService& sign_in,
                 SecondFactorService& second_factors, const Sealer& sealer, Pool& pool)
      : catalog_(catalog),
        sign_in_(sign_in),
        second_factors_(second_factors),
        sealer_(sealer),
        pool_(pool) {}

  /// Begins a registration for the principal's account, in its session.
  Task<Result<PasskeyRegistration>> begin_registration(const Principal& principal);
  /// Ends it within five minutes, once. `forbidden` if the passkey is not what was asked for; the
  /// errors of catalog::Passkeys::add.
  Task<Result<RegisteredPasskey>> add(const Principal& principal, PasskeyDomain domain,
                                      std::string name, MadePasskey made);

  /// Begins a sign-in, or a confirmation. With the challenge of a second step the passkeys are
  /// those of its account; `unauthenticated` if that one has expired.
  Task<Result<PasskeyRequest>> begin_sign_in(std::optional<std::string> second_step);
  /// Opens a session with a passkey. Each request is answered once, within five minutes. What is
  /// refused is noted in the audit log. `unauthenticated` if the answer is not right or no account
  /// has the passkey; `forbidden` if its account is disabled; `rate_limited` after many failures
  /// from the client's address.
  Task<Result<SignedIn>> sign_in(PasskeyDomain domain, ShownPasskey shown, SignInClient client);
  /// Confirms the principal's session (see check_confirmed) by a passkey of its account.
  /// `forbidden` if it is none of these, or the answer is not right; `rate_limited` after many
  /// failures.
  Task<Result<void>> confirm(const Principal& principal, PasskeyDomain domain, ShownPasskey shown);

  Task<Result<std::vector<catalog::Passkey>>> list(const Principal& principal);
  Task<Result<void>> rename(const Principal& principal, std::string id, std::string name);
  Task<Result<void>> remove(const Principal& principal, std::string id);

 private:
  struct Challenge;
  struct Checked;

  std::string seal(const Challenge& challenge) const;
  Result<Challenge> open(std::string_view client_data, std::string_view type,
                         const PasskeyDomain& domain) const;
  Task<Result<void>> spend(const Challenge& challenge);
  Task<Result<Checked>> check(const PasskeyDomain& domain, const ShownPasskey& shown,
                              const catalog::Turn& turn);
  std::string user_id_of(AccountId account) const;

  catalog::Catalog& catalog_;
  SignInService& sign_in_;
  SecondFactorService& second_factors_;
  const Sealer& sealer_;
  Pool& pool_;
};

}  // namespace coffer::core
