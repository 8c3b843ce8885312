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
  std::vector<AccountId> accounts;  ///< In any order; ignored if `everyone`.
  std::optional<Asker> asker = {};
};

/// A change of a share. Absent fields do not change.
struct ShareChange {
  std::optional<std::string> name;
  std::optional<std::string> description;
  std::optional<std::string> target;
  std::optional<bool> read_only;
  std::optional<bool> everyone;                    ///< True clears the list of accounts.
  std::optional<std::vector<AccountId>> accounts;  ///< The new list; ignored if `everyone`.
  std::vector<AccountId> added_accounts;           ///< Added to the new or existing list.
  std::vector<AccountId> removed_accounts;         ///< Removed after the additions.
  std::optional<Asker> asker;
};

/// The shared folders in the catalog. Safe from any thread. Changes take effect with the next
/// request, in every process that uses the catalog. Names are compared byte by byte.
class Shares {
 public:
  explicit Shares(Database& database) : database_(database) {}

  /// Adds a share. `exists` if its name is taken, `not_found` if an account is unknown.
  Task<Result<Share>> create(NewShare share);
  /// Returns all shares, sorted by name.
  Task<Result<std::vector<Share>>> list();
  /// Returns a share; `not_found` for an unknown id.
  Task<Result<Share>> find(ShareId id);
  /// Changes a share. `not_found` for an unknown share or account; `exists` if the name is taken;
  /// `invalid` if accounts are added to a share for everyone, or if `everyone = false` or a removal
  /// leaves no account. A new target revokes keys and links limited to the share or an item in it.
  Task<Result<Share>> set(ShareId id, ShareChange change);
  /// Returns the shares of earlier versions whose folder may have symbolic links in its path.
  Task<Result<std::vector<Share>>> unresolved();
  /// Stores the path without links of an unresolved share's folder. Keys limited to the share stay,
  /// and uploads into it can go on.
  /// Does nothing if the share's folder is no longer `share.target`.
  Task<Result<void>> resolve(Share share, std::string folder);
  /// Removes a share, but no files; `not_found` for an unknown id.
  Task<Result<void>> remove(ShareId id, std::optional<Asker> asker = {});

 private:
  Database& database_;
};

}  // namespace coffer::catalog
