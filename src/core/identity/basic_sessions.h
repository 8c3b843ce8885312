#pragma once

#include <array>
#include <cstddef>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "async/task.h"
#include "base/error.h"
#include "catalog/credential.h"
#include "catalog/second_factors.h"
#include "core/identity/second_factor_service.h"
#include "core/namespace/principal.h"
#include "core/sessions/sign_in_service.h"

namespace coffer::core {

/// Sessions of clients that send the account's password with each request (RFC 7617). A right
/// password opens one, which is used again as long as it lasts, since each look at a password takes
/// long. It is listed and ended as others are. A directory, where a password changes without this
/// server being told, is asked again after an hour. Safe from any thread.
class BasicSessions {
 public:
  BasicSessions(catalog::SecondFactors& factors, SignInService& sign_in,
                SecondFactorService& second_factors);

  /// Returns the principal of the session. `unauthenticated` if the password is wrong, or the
  /// account has a second factor, which such a client cannot show; `forbidden` if it must get one
  /// first (check_is_protected); otherwise as SecondFactorService::sign_in.
  Task<Result<Principal>> find(std::string name, std::string password, SignInClient client);

 private:
  static constexpr std::size_t kMostKept = 10'000;

  catalog::SecretHash tag_of(const std::string& name, const std::string& password,
                             const SignInClient& client) const;
  std::optional<std::string> token_of(const catalog::SecretHash& tag);
  /// Returns the token to use, which is another one if there was one already.
  std::string keep(const catalog::SecretHash& tag, const std::string& token);
  /// Returns false if the token was not kept any more.
  bool forget(const catalog::SecretHash& tag, const std::string& token);
  Task<Result<Principal>> use(const std::string& token);
  Task<Result<Principal>> open(const catalog::SecretHash& tag, std::string name,
                               std::string password, SignInClient client);
  /// Opens a session in place of the principal's. A directory that does not answer leaves that one.
  Task<Result<Principal>> renew(const catalog::SecretHash& tag, std::string token,
                                Principal principal, std::string name, std::string password,
                                SignInClient client);

  catalog::SecondFactors& factors_;
  SignInService& sign_in_;
  SecondFactorService& second_factors_;
  std::array<unsigned char, 32> key_{};  ///< Passwords are not kept, nor what they are guessed by.
  std::mutex mutex_;
  std::map<catalog::SecretHash, std::string> tokens_;
  std::deque<catalog::SecretHash> order_;  ///< Of `tokens_`, the oldest first.
};

}  // namespace coffer::core
