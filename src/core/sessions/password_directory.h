#pragma once

#include <optional>
#include <string>

#include "async/task.h"
#include "base/error.h"
#include "catalog/account.h"

namespace coffer::core {

/// Another place that knows people's passwords, such as a directory of LDAP. It is asked for names
/// whose account has no password here. `unready` if it does not answer. Safe from any thread.
class PasswordDirectory {
 public:
  virtual ~PasswordDirectory() = default;
  /// Checks a name and a password, and returns the person's account, which is made if there is
  /// none. nullopt if one of them is wrong; `forbidden` if the person may not sign in here.
  /// `address` is the client's.
  virtual Task<Result<std::optional<catalog::Account>>> sign_in(std::string name,
                                                                std::string password,
                                                                std::string address) = 0;
  /// Returns true if the directory is where the account's person signs in. Does not ask it.
  virtual Task<Result<bool>> knows(AccountId account) = 0;
  /// Returns true if it is the password of the account's person.
  virtual Task<Result<bool>> is_password(AccountId account, std::string password) = 0;
};

}  // namespace coffer::core
