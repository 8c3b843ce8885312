#pragma once

#include <optional>
#include <string>
#include <vector>

#include "async/task.h"
#include "base/error.h"
#include "catalog/catalog.h"
#include "core/namespace/mounts.h"

namespace coffer::core {

/// A patch for a share. Absent fields stay unchanged; a new share gets their defaults.
struct SharePatch {
  std::optional<std::string> name;  ///< A valid Name; unique.
  /// The absolute path of an existing folder on this machine, without symbolic links.
  std::optional<std::string> target;
  std::optional<std::string> description;
  std::optional<bool> read_only;
  std::optional<bool> everyone;  ///< True if all accounts see the share.
  /// The names of the accounts that see the share. The list replaces the former list. If `everyone`
  /// is absent, it becomes false.
  std::optional<std::vector<std::string>> accounts;
  std::vector<std::string> added_accounts = {};    ///< Must be empty if everyone sees the share.
  std::vector<std::string> removed_accounts = {};  ///< At least one account must remain.
  std::optional<catalog::Asker> asker = {};        ///< The caller; absent for the command line.
};

/// Manages shared folders, for administrators. Safe from any thread.
class ShareService {
 public:
  ShareService(catalog::Catalog& catalog, MountBackends& backends)
      : catalog_(catalog), backends_(backends) {}

  /// Adds a share. `invalid` if the name is bad, the folder cannot be shared, or no account would
  /// see the share; `exists` if the name is taken; `not_found` if one of `accounts` does not exist.
  Task<Result<catalog::Share>> add(SharePatch patch);
  Task<Result<std::vector<catalog::Share>>> list();
  /// Returns a share; `not_found` if the id is unknown.
  Task<Result<catalog::Share>> get(ShareId id);
  /// Changes a share. A new target revokes the keys limited to the share or to a folder in it.
  Task<Result<catalog::Share>> change(ShareId id, SharePatch patch);
  /// Removes the share; its folder stays. Takes effect with the next request. `asker` is the
  /// caller, whose credential the catalog checks again; absent for the command line.
  Task<Result<void>> remove(ShareId id, std::optional<catalog::Asker> asker);
  /// Tests a share: lists its folder, and returns the error if the listing fails.
  Task<Result<void>> test(const catalog::Share& share);

 private:
  Task<Result<std::vector<AccountId>>> ids_of(const std::vector<std::string>& names);

  catalog::Catalog& catalog_;
  MountBackends& backends_;
};

/// Checks the name of a share or connector. `invalid` if it looks like a mount's prefix (see
/// is_mount_name) or is not a valid Name: a copy of the mount is a folder with this name.
Result<void> check_mount_name(std::string_view name);
/// `invalid` if the text is not UTF-8, has control characters, or is over 1000 characters long.
Result<void> check_description(std::string_view description);

/// Looks up folders that administrators may share through the API: the roots that the configuration
/// names (`share_roots`), and the folders in them. Safe from any thread. Errors:
/// - `forbidden` if there are no roots, or the folder is in none of them or in Coffer's own data;
/// - `not_found` if the folder is missing;
/// - `invalid` if the folder is a file.
class ShareRoots {
 public:
  virtual ~ShareRoots() = default;
  /// Returns the absolute paths of the roots, including missing ones.
  virtual Result<std::vector<std::string>> roots() const = 0;
  /// Returns the names of the folders in `folder` (an absolute path), sorted by their bytes.
  virtual Task<Result<std::vector<std::string>>> folders_in(std::string folder) = 0;
  /// Resolves all symbolic links in `folder` (an absolute path), and returns the resulting path.
  virtual Task<Result<std::string>> locate(std::string folder) = 0;
  /// The same for any folder of the machine, inside the roots or not. `invalid` if the folder is
  /// missing or cannot be found.
  virtual Task<Result<std::string>> locate_any(std::string folder) = 0;
};

}  // namespace coffer::core
