#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "async/task.h"
#include "base/error.h"
#include "catalog/catalog.h"
#include "core/namespace/principal.h"
#include "core/sessions/password_checks.h"
#include "core/sessions/password_directory.h"
#include "core/sessions/password_queue.h"

namespace coffer::core {

/// The client that asks to sign in.
struct SignInClient {
  std::string address;      ///< IPv4 or IPv6.
  std::string agent;        ///< The User-Agent header; may be empty.
  std::string device = {};  ///< The cookie of a KnownDevice; may be empty.
};

/// How long sessions last whose person another place named, from their beginning.
struct ProvidedSessionLives {
  std::chrono::hours of_provider;
  std::chrono::hours of_proxy;
};

struct SignedIn {
  Principal principal;
  std::string token;   ///< The session's secret, for the cookie. The catalog stores only its hash.
  std::string device;  ///< The cookie of the KnownDevice.
};

/// Signs accounts in with passwords, and manages their sessions. To slow down guessing, counts
/// the failures of strangers for each account, for each address, and for the account from that
/// address. A session and a KnownDevice have counts of their own, so that strangers never delay
/// them, whatever address they have in common. Safe from any thread.
class SignInService {
 public:
  SignInService(catalog::Catalog& catalog, PasswordQueue& passwords, PasswordChecks& checks)
      : catalog_(catalog), passwords_(passwords), checks_(checks) {}

  /// Asks the directory for the passwords of names whose account has none here, from now on. Call
  /// it before the first sign-in. The directory must outlive this object.
  void ask(PasswordDirectory& directory) { directory_ = &directory; }

  /// Checks a name and a password, and returns the account. Errors:
  /// - `unauthenticated` if the name is unknown, the password is wrong or the account is disabled,
  ///   with the same message and, if no directory is asked, after the same time in each case;
  /// - `rate_limited` after too many failures;
  /// - `rate_limited` and `overloaded` as PasswordQueue::enter;
  /// - those of PasswordDirectory::sign_in.
  Task<Result<catalog::Account>> check_password(std::string name, std::string password,
                                                SignInClient client);
  /// Opens a session for an account that was authenticated as `origin` says, and whose password
  /// hash is in `account`. Uses up `factor`, and fails as catalog::use_factor.
  Task<Result<SignedIn>> open_session(const catalog::Account& account,
                                      catalog::SessionOrigin origin,
                                      std::optional<catalog::UsedFactor> factor,
                                      SignInClient client);
  /// Returns the principal of the session with this secret; `unauthenticated` if it has ended. A
  /// session ends 14 days after its last use, 90 days after it began, or by a call like `sign_out`.
  Task<Result<Principal>> by_token(std::string_view token);
  /// Ends the session of the principal, which must have one.
  Task<Result<void>> sign_out(const Principal& principal);
  /// Checks the password of the principal's account, of which a guesser has only the session, and
  /// returns the account. `forbidden` if the password is wrong; `rate_limited`, `overloaded` and
  /// `unready` as for `check_password`.
  Task<Result<catalog::Account>> check_own_password(const Principal& principal,
                                                    std::string password);
  /// Returns true if there is a password that opens the account: one here, or the directory's.
  Task<Result<bool>> has_password(const catalog::Account& account);
  /// Sets the password of the principal, which must have a session, to `fresh`, and ends all other
  /// sessions of the account. Returns the new cookie of the KnownDevice. `forbidden` if `current`
  /// is not the present password, or that is the directory's; `invalid` if `fresh` is too short or
  /// too long; `rate_limited` and `overloaded` as for `check_password`.
  Task<Result<std::string>> change_password(const Principal& principal, std::string current,
                                            std::string fresh, std::string_view device);

  /// Checks the password of a guest, who has no account, against `hash`. `subject` names what the
  /// password protects, such as `link ID`. To slow down guessing, counts failures as
  /// for a stranger at an account. `unauthenticated` if the password is wrong; `rate_limited`
  /// and `overloaded` as for `check_password`.
  Task<Result<void>> check_guest(std::string subject, std::string password, std::string hash,
                                 std::string address);

  /// Returns the account's sessions that have not expired, oldest first.
  Task<Result<std::vector<catalog::WebSession>>> list(const Principal& principal);
  /// Ends a session; `not_found` if the account has no session of this id.
  Task<Result<void>> end(const Principal& principal, SessionId id);
  /// Returns all accounts' sessions that have not expired, oldest first. For administrators.
  Task<Result<std::vector<catalog::WebSession>>> list_all();
  /// Ends a session of any account; `not_found` if there is no such session. For administrators.
  Task<Result<void>> end_any(const Principal& principal, SessionId id);
  /// Ends all sessions of the account except the principal's own.
  Task<Result<void>> end_others(const Principal& principal);
  /// Ends the sessions that have expired.
  Task<Result<void>> drop_expired(ProvidedSessionLives lives);

 private:
  /// Returns the account with this name. If the name is unknown, returns an account without a
  /// password, so that clients cannot tell unknown names from known ones.
  Task<Result<catalog::Account>> account_named(std::string name, const SignInClient& client);
  Task<Result<catalog::Account>> check_own(PasswordQueue::Place& place, const Principal& principal,
                                           std::string password);
  Task<Result<bool>> is_of_directory(const catalog::Account& account);
  Task<Result<catalog::Account>> check_own_by_directory(const Principal& principal,
                                                        std::string password);
  Task<Result<catalog::Account>> renewed_hash(PasswordQueue::Place& place, catalog::Account account,
                                              std::string password);
  Task<Result<catalog::Account>> check_by_directory(std::string name, std::string password,
                                                    SignInClient client,
                                                    PasswordChecks::Question question,
                                                    std::string known);
  struct DirectoryAnswer {
    std::optional<catalog::Account> account = {};
    std::optional<Error> refusal = {};  ///< The password is right, but the person may not sign in.
  };
  Task<Result<bool>> ask_directory(const std::string& name, const std::string& password,
                                   const std::string& address, DirectoryAnswer& answer);
  /// Notes a wrong password of the account in the audit log, and fails.
  Task<Result<catalog::Account>> refused(std::string known, std::string address);

  catalog::Catalog& catalog_;
  PasswordQueue& passwords_;
  PasswordChecks& checks_;
  PasswordDirectory* directory_ = nullptr;
};

/// Returns the CSRF token of a session. A request that changes something must contain this token in
/// addition to the cookie. The token is derived from the session's secret, but does not reveal it.
std::string csrf_token_of(std::string_view session_token);
/// Returns true if `shown` is the session's CSRF token. Compares in constant time.
bool is_csrf_token(std::string_view shown, std::string_view session_token);

}  // namespace coffer::core
