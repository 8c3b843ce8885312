#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "async/task.h"
#include "base/clock.h"
#include "base/error.h"
#include "catalog/catalog.h"
#include "core/accounts/account_service.h"
#include "core/connectors/sealer.h"
#include "core/identity/identity_provider.h"
#include "core/identity/person_accounts.h"
#include "core/identity/person_rules.h"
#include "core/identity/provider_flow.h"
#include "core/namespace/principal.h"
#include "core/sessions/sign_in_service.h"

namespace coffer::core {

struct ProviderSignInOptions {
  std::string redirect;  ///< The address that the provider sends browsers back to.
  std::string home;      ///< The address of this server that a sign-out at the provider leads to.
  bool creates_accounts = true;  ///< A person without an account gets one.
  PersonRules rules = {};
  bool gives_quotas = false;      ///< Quotas follow what the provider says; see check_by_hand.
  bool logout_ends_keys = false;  ///< A sign-out at the provider ends the account's keys too.
};

/// A sign-in that has begun.
struct BegunProviderSignIn {
  std::string address;  ///< At the provider; the browser is sent there.
  std::string cookie;   ///< A ProviderFlow, for the browser to keep and to show at the end.
  Timestamp expires_at{};
};

/// What the provider sends a browser back with.
struct ProviderCallback {
  std::string state;
  std::string code;                        ///< Empty if the provider refuses.
  std::optional<std::string> issuer = {};  ///< `iss`.
};

/// A sign-in that has ended.
struct EndedProviderSignIn {
  std::string return_path;
  std::optional<SignedIn> session = {};  ///< Absent: an account was linked with the person.
  /// Of the session, for the browser to keep and to show at the sign-out; may be empty.
  std::string proof = {};
};

/// Signs people in at a provider, in the authorization code flow of OpenID Connect. An account is
/// found by the person's identity alone: never by a name or an e-mail address, which another person
/// may get. An account of before is linked by its owner, who is signed in. Safe from any thread.
class ProviderSignIn {
 public:
  /// The time that a person has at the provider.
  static constexpr auto kLife = std::chrono::minutes(10);

  ProviderSignIn(catalog::Catalog& catalog, AccountService& accounts, SignInService& sign_in,
                 const Sealer& sealer, IdentityProvider& provider, ProviderSignInOptions options)
      : catalog_(catalog),
        accounts_(catalog, accounts,
                  {PeopleSource::provider, options.rules, options.creates_accounts,
                   options.gives_quotas}),
        sign_in_(sign_in),
        sealer_(sealer),
        provider_(provider),
        options_(std::move(options)) {}

  /// Begins a sign-in. `return_path` is the page to come back to (see safe_return_path); `prompt`
  /// as in ProviderRequest. Fails as IdentityProvider does, which is noted in the audit log, and
  /// with `rate_limited` after many failures from the client's address.
  Task<Result<BegunProviderSignIn>> begin(std::string return_path, std::string prompt,
                                          SignInClient client);
  /// Begins a sign-in that links the principal's account, which must have a session.
  Task<Result<BegunProviderSignIn>> begin_link(const Principal& principal, std::string return_path);

  /// Begins a sign-in that confirms the principal's session (see check_confirmed). Its account must
  /// be linked with the person, who must show anew who they are.
  Task<Result<BegunProviderSignIn>> begin_confirmation(const Principal& principal,
                                                       std::string return_path);

  /// Ends what `begin`, `begin_link` or `begin_confirmation` began in this browser, whose cookie is
  /// `cookie`. Each is ended once. A person without an account gets one; role and quota follow what
  /// the provider says. What is refused is noted in the audit log, with the reason. Errors, besides
  /// those of IdentityProvider:
  /// - `unauthenticated` if the cookie is missing or of another sign-in, or it was ended before
  /// - `rate_limited` after many failures from the client's address
  /// - `forbidden` if the person may not sign in here: none of the groups is allowed, the account
  ///   is disabled, or there is none and none is made
  /// - `exists` if the person to be linked signs in to another account
  Task<Result<EndedProviderSignIn>> end(std::string cookie, ProviderCallback callback,
                                        SignInClient client);

  /// See IdentityProvider::probe.
  Task<Result<ProviderProbe>> probe() { co_return co_await provider_.probe(); }
  /// Returns what a sign-in with these claims of an ID token would do (see
  /// PersonAccounts::foresee), without the provider's userinfo. Fails as
  /// IdentityProvider::describe.
  Task<Result<ForeseenSignIn>> foresee(const boost::json::object& claims) {
    CO_TRY(const auto person, provider_.describe(claims));
    co_return co_await accounts_.foresee(person);
  }

  /// See PersonAccounts::check_by_hand.
  Task<Result<void>> check_by_hand(std::string name, std::optional<catalog::Role> role,
                                   std::optional<std::uint64_t> quota_bytes) {
    co_return co_await accounts_.check_by_hand(std::move(name), role, quota_bytes);
  }

  /// Ends the sessions that a logout token of the provider names (Back-Channel Logout 1.0). There
  /// may be none. `unauthenticated` if the token is none or was used before.
  Task<Result<void>> end_sessions(std::string logout_token);
  /// Returns the address for signing out at the provider too; empty if the provider has none. For
  /// `proof` see IdentityProvider::logout_address.
  Task<Result<std::string>> logout_address(std::string proof) {
    std::string home = options_.home;
    co_return co_await provider_.logout_address(std::move(home), std::move(proof));
  }

 private:
  Task<Result<BegunProviderSignIn>> begin_flow(ProviderFlow flow, std::string prompt);
  Task<Result<ProviderFlow>> spend(std::string cookie, const ProviderCallback& callback,
                                   const SignInClient& client);
  /// Sets `who` to the person as soon as the provider has named one.
  Task<Result<EndedProviderSignIn>> end_flow(ProviderFlow flow, ProviderCallback callback,
                                             SignInClient client, std::string& who);
  Task<Result<void>> check_attempt(const SignInClient& client);
  Task<Result<void>> note_failure(const Error& error, const SignInClient& client, std::string who);
  Task<Result<EndedProviderSignIn>> confirm(ProviderFlow flow, ProvidedPerson person);
  Task<Result<EndedProviderSignIn>> link(ProviderFlow flow, ProvidedPerson person,
                                         SignInClient client);

  catalog::Catalog& catalog_;
  PersonAccounts accounts_;
  SignInService& sign_in_;
  const Sealer& sealer_;
  IdentityProvider& provider_;
  const ProviderSignInOptions options_;
};

}  // namespace coffer::core
