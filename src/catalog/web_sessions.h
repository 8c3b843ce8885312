#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "async/task.h"
#include "base/clock.h"
#include "base/enum_words.h"
#include "base/error.h"
#include "base/id.h"
#include "catalog/accounts.h"
#include "catalog/credential.h"
#include "catalog/identities.h"
#include "catalog/second_factors.h"

namespace coffer::catalog {

class Database;

/// What a person showed at the sign-in.
enum class SignInMethod : std::uint8_t {
  password,
  password_totp,
  password_recovery,
  passkey,
  setup_link,
  oidc,
  proxy
};
constexpr auto words_of(SignInMethod) {
  using enum SignInMethod;
  return enum_words<SignInMethod>({{password, "password"},
                                   {password_totp, "password+totp"},
                                   {password_recovery, "password+recovery"},
                                   {passkey, "passkey"},
                                   {setup_link, "setup_link"},
                                   {oidc, "oidc"},
                                   {proxy, "proxy"}});
}

/// How a session began.
struct SessionOrigin {
  SignInMethod method = SignInMethod::password;
  /// Where a provider named the person: the members of its ID token (OpenID Connect Core 1.0,
  /// section 2; Back-Channel Logout 1.0, section 2.1). Of a proxy, the person's IdentityName. Empty
  /// for other methods.
  std::string issuer = {};
  std::string subject = {};
  std::string provider_session = {};  ///< `sid`; may be empty.
};

/// A session of a person who signed in with a browser.
struct WebSession : SessionOrigin {
  SessionId id;
  AccountId account;
  Timestamp created_at{};
  Timestamp last_seen_at{};    ///< May lag by a minute.
  std::string address;         ///< The client's address at the sign-in.
  std::string agent;           ///< The client's User-Agent at the sign-in; at most 256 bytes.
  bool is_signed_out = false;  ///< True if it is only kept for the tasks that it began.
  /// When the person last showed who they are: at the sign-in, or later (`confirm`).
  Timestamp confirmed_at{};
};

/// Whether a look-up finds sessions that were signed out.
enum class SignedOut : std::uint8_t { absent, found };

struct NewWebSession {
  AccountId account;
  std::string password_hash;  ///< The account's password hash when the sign-in was checked.
  std::string address;
  std::string agent;
  SecretHash hash{};
  SessionOrigin origin = {};
  /// What was shown with a password, or in its place; see use_factor.
  std::optional<UsedFactor> factor = {};
};

/// A session together with its account, for authentication.
struct SessionGrant {
  WebSession session;
  Account account;
  Credential credential;
  bool has_second_factor = false;  ///< See SecondFactor::is_on.
};

/// The sessions in the catalog. Safe from any thread. When a call that ends sessions has returned,
/// no process accepts these sessions any more.
class WebSessions {
 public:
  explicit WebSessions(Database& database);
  ~WebSessions();

  /// Stores a session. If the account has `most` sessions already, ends the one used least
  /// recently. `unauthenticated` if the account was removed or disabled, or if its password hash is
  /// not `session.password_hash`; where a password or a passkey began it, also as use_factor.
  Task<Result<WebSession>> create(NewWebSession session, std::size_t most);
  /// Returns the account's sessions, sorted by time of creation.
  Task<Result<std::vector<WebSession>>> list(AccountId account);
  /// Returns the sessions of all accounts, sorted by time of creation.
  Task<Result<std::vector<WebSession>>> list_all();
  /// Notes that the session's person showed again who they are. `unauthenticated` if the session
  /// has ended, or if the account's password hash is not `password_hash` any more, or as
  /// use_factor.
  Task<Result<void>> confirm(AccountId account, SessionId id, std::string password_hash,
                             std::optional<UsedFactor> factor);
  /// The same where a provider named the person, who must sign in to the account with that
  /// identity. `unauthenticated` if the session has ended or the identity is not linked any more.
  Task<Result<void>> confirm_provided(AccountId account, SecretHash session, IdentityName name);
  /// Ends a session; `not_found` if the account, or any if it is absent, has none with this id.
  Task<Result<void>> end(std::optional<AccountId> account, SessionId id,
                         std::optional<Asker> asker = {});
  /// Ends a session as its person does who leaves: it can be used no more. While the account has
  /// tasks that have not ended, it is kept for them (see SignedOut); the calls that end sessions
  /// end it then, too. `not_found` if the account has no such session.
  Task<Result<void>> sign_out(AccountId account, SessionId id, std::optional<Asker> asker = {});
  /// Deletes the sessions that were kept for tasks, where the account has no such task any more.
  Task<Result<void>> drop_signed_out();
  /// Ends all sessions of the account except `kept`. Returns the number of sessions that ended.
  Task<Result<std::uint64_t>> end_others(AccountId account, std::optional<SessionId> kept,
                                         std::optional<Asker> asker = {});
  /// Ends the sessions of a person at a provider: that of `provider_session` if it is given, else
  /// all of `subject`; of which at least one must be. With `ends_keys`, the API keys end too of the
  /// accounts that they belong to, but no links. Returns the number of sessions that ended.
  Task<Result<std::uint64_t>> end_provided(std::string issuer, std::optional<std::string> subject,
                                           std::optional<std::string> provider_session,
                                           bool ends_keys = false);
  /// Ends the sessions that were made before `made_before` or last seen before `seen_before`.
  Task<Result<void>> end_older(Timestamp made_before, Timestamp seen_before);

  /// Ends the sessions that began in this way before `made_before`.
  Task<Result<void>> end_older_of(SignInMethod method, Timestamp made_before);

  /// Returns the cached grant of a session; null if none is cached. Does not wait for the database:
  /// I/O threads may call it. The session's `last_seen_at` may be out of date.
  std::shared_ptr<const SessionGrant> find_now(const SecretHash& hash,
                                               SignedOut signed_out = SignedOut::absent);
  /// Returns the grant of a session from the database. `unauthenticated` if there is no such
  /// session or its account is disabled.
  Task<Result<std::shared_ptr<const SessionGrant>>> find(SecretHash hash,
                                                         SignedOut signed_out = SignedOut::absent);
  /// Records a use of the session. The database gets this within a minute, or by `flush_uses`.
  void note_use(const SessionId& id);
  Task<Result<void>> flush_uses();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace coffer::catalog
