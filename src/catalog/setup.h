#pragma once

#include "async/task.h"
#include "base/error.h"
#include "catalog/accounts.h"
#include "catalog/credential.h"

namespace coffer::catalog {

class Database;

/// The way in to a catalog without any account: one token, which makes the first administrator.
/// Safe from any thread.
class Setup {
 public:
  explicit Setup(Database& database) : database_(database) {}

  /// True if there is no account.
  Task<Result<bool>> is_open();
  /// Makes `token` the one that counts. False, changing nothing, if there is an account.
  Task<Result<bool>> offer(SecretHash token);
  /// Makes the account, and set-up closes. `forbidden` if another token counts, or there is an
  /// account already: of several calls at once, one is first.
  Task<Result<Account>> complete(SecretHash token, NewAccount account);

 private:
  Database& database_;
};

}  // namespace coffer::catalog
