#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "async/task.h"
#include "base/error.h"
#include "catalog/catalog.h"
#include "core/namespace/principal.h"
#include "core/sessions/password_checks.h"
#include "core/sessions/password_queue.h"

namespace coffer::core {

/// The client that asks to sign in.
struct SignInClient {
  std::string address;      ///< IPv4 or IPv6.
  std::string agent;        ///< The User-Agent header; may be empty.
  std::string device = {};  ///< The cookie of a KnownDevice; may be empty.
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

  /// Opens a session with a password. Errors:
  /// - `unauthenticated` if the name is unknown, the password is wrong or the account is disabled,
  ///   with the same message and after the same time in each case;
  /// - `rate_limited` after too many failures;
  /// - `rate_limited` and `overloaded` as PasswordQueue::enter.
  Task<Result<SignedIn>> sign_in(std::string name, std::string password, SignInClient client);
  /// Opens a session for an account that was authenticated in another way, and whose password
  /// hash is in `account`.
  Task<Result<SignedIn>> open_session(const catalog::Account& account, SignInClient client);
  /// Returns the principal of the session with this secret; `unauthenticated` if it has ended. A
  /// session ends 14 days after its last use, 90 days after it began, or by a call like `sign_out`.
  Task<Result<Principal>> by_token(std::string_view token);
  /// Ends the session of the principal, which must have one.
  Task<Result<void>> sign_out(const Principal& principal);
  /// Sets the password of the principal, which must have a session, to `fresh`, and ends all other
  /// sessions of the account. Returns the new cookie of the KnownDevice. `forbidden` if `current`
  /// is not the present password; `invalid` if `fresh` is too short or too long; `rate_limited` and
  /// `overloaded` as for `sign_in`.
  Task<Result<std::string>> change_password(const Principal& principal, std::string current,
                                            std::string fresh, std::string_view device);

  /// Checks the password of a guest, who has no account, against `hash`. `subject` names what the
  /// password protects, such as `link ID`. To slow down guessing, counts failures as
  /// for a stranger at an account. `unauthenticated` if the password is wrong; `rate_limited`
  /// and `overloaded` as for `sign_in`.
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
  Task<Result<void>> drop_expired();

 private:
  /// Returns the account with this name. If the name is unknown, returns an account without a
  /// password, so that clients cannot tell unknown names from known ones.
  Task<Result<catalog::Account>> account_named(std::string name, const SignInClient& client);
  Task<Result<catalog::Account>> renewed_hash(PasswordQueue::Place& place, catalog::Account account,
                                              std::string password);

  catalog::Catalog& catalog_;
  PasswordQueue& passwords_;
  PasswordChecks& checks_;
};

/// Returns the CSRF token of a session. A request that changes something must contain this token in
/// addition to the cookie. The token is derived from the session's secret, but does not reveal it.
std::string csrf_token_of(std::string_view session_token);
/// Returns true if `shown` is the session's CSRF token. Compares in constant time.
bool is_csrf_token(std::string_view shown, std::string_view session_token);

}  // namespace coffer::core
