#pragma once

#include "async/task.h"
#include "base/error.h"
#include "catalog/accounts.h"
#include "catalog/credential.h"

namespace coffer::catalog {

class Database;

/// Set-up of a catalog without accounts: a token allows making the first administrator. Safe from
/// any thread.
class Setup {
 public:
  explicit Setup(Database& database) : database_(database) {}

  /// True if there is no account.
  Task<Result<bool>> is_open();
  /// Makes `token` the valid one. Returns false, and changes nothing, if there is an account.
  Task<Result<bool>> offer(SecretHash token);
  /// Makes the account and closes set-up. `forbidden` if the token is not the valid one or there is
  /// an account already; of concurrent calls one succeeds.
  Task<Result<Account>> complete(SecretHash token, NewAccount account);

 private:
  Database& database_;
};

}  // namespace coffer::catalog
