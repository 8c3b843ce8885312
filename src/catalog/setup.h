#pragma once

#include "async/task.h"
#include "base/error.h"
#include "catalog/accounts.h"
#include "catalog/credential.h"

namespace coffer::catalog {

class Database;

/// The set-up of a catalog without accounts: with a token a caller makes the first administrator.
/// Safe from any thread.
class Setup {
 public:
  explicit Setup(Database& database) : database_(database) {}

  /// Returns true if there is no account.
  Task<Result<bool>> is_open();
  /// Makes `token` the only valid one. If there is an account, makes none valid and returns false.
  Task<Result<bool>> offer(SecretHash token);
  /// Makes the account and closes set-up. `forbidden` if the token is not the valid one, or if
  /// there is an account already. At most one of several concurrent calls succeeds.
  Task<Result<Account>> complete(SecretHash token, NewAccount account);

 private:
  Database& database_;
};

}  // namespace coffer::catalog
