#pragma once

#include "async/task.h"
#include "base/error.h"
#include "catalog/accounts.h"
#include "catalog/credential.h"

namespace coffer::catalog {

class Database;

/// The set-up of a catalog that has no account yet. A caller with the set-up token makes the first
/// administrator. Safe from any thread.
class Setup {
 public:
  explicit Setup(Database& database) : database_(database) {}

  /// Returns true if there is no account.
  Task<Result<bool>> is_open();
  /// Stores `token` as the only valid token, unless the token of another server that runs stands.
  /// If there is an account, no token is valid any more. Returns whether `token` is valid now.
  Task<Result<bool>> offer(SecretHash token);
  /// `forbidden` if `complete` would refuse the token now.
  Task<Result<void>> check(SecretHash token);
  /// Makes the account; then no token is valid any more. `forbidden` if the token is not valid or
  /// there is an account already. If several calls run concurrently, at most one succeeds.
  Task<Result<Account>> complete(SecretHash token, NewAccount account);

 private:
  Database& database_;
};

}  // namespace coffer::catalog
