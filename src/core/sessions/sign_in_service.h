#pragma once

#include <atomic>
#include <string>
#include <string_view>
#include <vector>

#include "async/pool.h"
#include "async/task.h"
#include "base/error.h"
#include "catalog/catalog.h"
#include "core/namespace/principal.h"

namespace coffer::core {

/// The client that asks to sign in.
struct SignInClient {
  std::string address;  ///< IPv4 or IPv6.
  std::string agent;    ///< The client's name for itself; may be empty.
};

struct SignedIn {
  Principal principal;
  std::string token;  ///< The session's secret, for the cookie; only its hash is kept.
};

/// Passwords and sessions. Guessing is slowed for each account and each address; guesses from other
/// addresses do not slow one from which the account is signed in. Safe from any thread.
class SignInService {
 public:
  explicit SignInService(catalog::Catalog& catalog) : catalog_(catalog) {}

  /// Opens a session. `unauthenticated`, with the same message and after as long, for an unknown
  /// name, a wrong password and a disabled account; `rate_limited` after too many of them;
  /// `overloaded` if too many sign in at this moment.
  Task<Result<SignedIn>> sign_in(std::string name, std::string password, SignInClient client);
  /// Opens a session of an account that was authenticated in another way.
  Task<Result<SignedIn>> open_session(const catalog::Account& account, SignInClient client);
  /// The principal of a session's secret; `unauthenticated` if it has ended: 14 days after it was
  /// last used, 90 days after it began, or when something ended it.
  Task<Result<Principal>> by_token(std::string_view token);
  /// Ends the principal's own session.
  Task<Result<void>> sign_out(const Principal& principal);
  /// Sets the account's password and ends its other sessions. `forbidden` if `current` is not the
  /// one it has, with the limits of signing in; `invalid` for a new one that is too short or long.
  Task<Result<void>> change_password(const Principal& principal, std::string current,
                                     std::string fresh, SignInClient client);

  /// Checks the password that a guest gives for `subject`, which is no account; guessing is limited
  /// for it and for the address. `unauthenticated` for a wrong password, `rate_limited` after too
  /// many.
  Task<Result<void>> check_guest(std::string subject, std::string password, std::string hash,
                                 SignInClient client);
  /// The hash of a password for guests.
  Task<Result<std::string>> hash_for_guests(std::string password);

  /// The account's sessions, by time of creation, without those that have expired.
  Task<Result<std::vector<catalog::WebSession>>> list(const Principal& principal);
  /// `not_found` for an id that is not one of the account's.
  Task<Result<void>> end(const Principal& principal, SessionId id);
  /// The sessions of all accounts, by time of creation; for administrators.
  Task<Result<std::vector<catalog::WebSession>>> list_all();
  /// Ends a session of any account; `not_found` if there is none. For administrators.
  Task<Result<void>> end_any(const Principal& principal, SessionId id);
  /// Ends all sessions of the account but the principal's own.
  Task<Result<void>> end_others(const Principal& principal);
  /// Removes expired sessions from the catalog.
  Task<Result<void>> drop_expired();

 private:
  struct Attempt {
    std::string account_subject;
    std::string address_subject;
  };
  static std::vector<catalog::SignInLimit> limits_of(const Attempt& attempt);
  /// The account, or for an unknown name one without a password, which is treated alike.
  Task<Result<catalog::Account>> account_named(std::string name);
  Task<Result<bool>> is_signed_in_from(AccountId account, const std::string& address);
  Task<Result<Attempt>> begin_attempt(const std::string& name, AccountId account,
                                      const SignInClient& client);
  Task<Result<bool>> verify(std::string_view password, const std::string& hash);
  Task<Result<catalog::Account>> renewed_hash(catalog::Account account, std::string_view password);

  catalog::Catalog& catalog_;
  std::atomic<int> verifying_ = 0;
  Pool pool_{2};  ///< Each thread may take 64 MiB.
};

/// The token that requests of a session which write show besides the cookie (a CSRF token). It is
/// derived from the session's secret and does not reveal it.
std::string csrf_token_of(std::string_view session_token);
/// Compares in constant time.
bool is_csrf_token(std::string_view shown, std::string_view session_token);

}  // namespace coffer::core
