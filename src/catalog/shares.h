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
  std::vector<AccountId> accounts;  ///< In any order; ignored if everyone.
  std::optional<Asker> asker = {};
};

/// A change of a share; absent fields stay.
struct ShareChange {
  std::optional<std::string> name;
  std::optional<std::string> description;
  std::optional<std::string> target;
  std::optional<bool> read_only;
  std::optional<bool> everyone;                    ///< True drops the list of accounts.
  std::optional<std::vector<AccountId>> accounts;  ///< The whole list; ignored if everyone.
  std::vector<AccountId> added_accounts;           ///< To the whole list, or to the one there is.
  std::vector<AccountId> removed_accounts;         ///< After the others were added.
  std::optional<Asker> asker;
};

/// The shared folders in the catalog. Safe from any thread. Changes take effect with the next
/// request, in every process that uses the catalog. Names compare by their bytes.
class Shares {
 public:
  explicit Shares(Database& database) : database_(database) {}

  /// `exists` if the name is taken, `not_found` for an unknown account.
  Task<Result<Share>> create(NewShare share);
  /// Returns all shares, by name.
  Task<Result<std::vector<Share>>> list();
  /// `not_found` if there is none.
  Task<Result<Share>> find(ShareId id);
  /// `not_found` for an unknown share or account, `exists` if the name is taken, `invalid` if no
  /// account would see the share, or for accounts added to one that everyone sees. Another target
  /// revokes all accounts' keys that are limited to the share or to a folder in it.
  Task<Result<Share>> set(ShareId id, ShareChange change);
  /// Removes the share; its folder and files stay.
  Task<Result<void>> remove(ShareId id, std::optional<Asker> asker = {});

 private:
  Database& database_;
};

}  // namespace coffer::catalog
