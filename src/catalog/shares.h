#pragma once

#include <optional>
#include <string>
#include <vector>

#include "async/task.h"
#include "base/error.h"
#include "base/id.h"
#include "catalog/credential.h"
#include "catalog/share.h"

namespace coffer::catalog {

class Database;

struct NewShare {
  std::string name;
  std::string description;
  std::string target;
  bool read_only = false;
  bool everyone = false;
  std::vector<AccountId> accounts;  ///< In any order; of no account if everyone.
  std::optional<Asker> asker = {};
};

/// A change of a share; absent fields stay.
struct ShareChange {
  std::optional<std::string> name;
  std::optional<std::string> description;
  std::optional<std::string> target;
  std::optional<bool> read_only;
  std::optional<bool> everyone;                    ///< True drops the list of accounts.
  std::optional<std::vector<AccountId>> accounts;  ///< The whole list; of no account if everyone.
  std::optional<Asker> asker;
};

/// The shared folders in the catalog. Safe from any thread. A change counts from the next request
/// on, in every process that uses the catalog. Names compare by their bytes.
class Shares {
 public:
  explicit Shares(Database& database) : database_(database) {}

  /// `exists` if the name is taken, `not_found` if one of the accounts does not exist.
  Task<Result<Share>> create(NewShare share);
  /// All, by name.
  Task<Result<std::vector<Share>>> list();
  /// The shares that the account sees, by name. A share's list of accounts holds this account
  /// alone.
  Task<Result<std::vector<Share>>> list_for(AccountId account);
  /// `not_found` if there is none.
  Task<Result<Share>> find(ShareId id);
  /// The same for a share that the account does not see.
  Task<Result<Share>> find_for(AccountId account, ShareId id);
  /// `not_found` for the share or an account, `exists` for the name, `invalid` if no account were
  /// left to see it. Another target revokes the keys limited to the share or to a folder in it, of
  /// all accounts: their folder is not there.
  Task<Result<Share>> set(ShareId id, ShareChange change);
  /// Removes the share; its folder and files stay.
  Task<Result<void>> remove(ShareId id, std::optional<Asker> asker = {});

 private:
  Database& database_;
};

}  // namespace coffer::catalog
