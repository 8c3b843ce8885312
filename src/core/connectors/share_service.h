#pragma once

#include <optional>
#include <string>
#include <vector>

#include "async/task.h"
#include "base/error.h"
#include "catalog/catalog.h"
#include "core/namespace/mounts.h"

namespace coffer::core {

/// A patch for a share; absent fields stay as they are, or take their default.
struct SharePatch {
  std::optional<std::string> name;    ///< A name that an item could have; unique.
  std::optional<std::string> target;  ///< An absolute path of an existing folder on the server.
  std::optional<std::string> description;
  std::optional<bool> read_only;
  std::optional<bool> everyone;  ///< All accounts see it.
  /// The accounts that see it, by name: all of them, and no others.
  std::optional<std::vector<std::string>> accounts;
  std::optional<catalog::Asker> asker = {};  ///< Absent: the command line.
};

/// Manages shared folders, for administrators. Safe from any thread.
class ShareService {
 public:
  ShareService(catalog::Catalog& catalog, MountBackends& backends)
      : catalog_(catalog), backends_(backends) {}

  /// `invalid` for a bad name, a folder that cannot be shared, or no account to see it; `exists`
  /// for a name that is taken.
  Task<Result<catalog::Share>> add(SharePatch patch);
  Task<Result<std::vector<catalog::Share>>> list();
  /// `not_found` if there is none.
  Task<Result<catalog::Share>> get(ShareId id);
  /// Another target revokes the keys limited to the share or to a folder in it.
  Task<Result<catalog::Share>> change(ShareId id, SharePatch patch);
  /// Withdraws the share; the folder stays. Acts on the next request.
  Task<Result<void>> remove(ShareId id, std::optional<catalog::Asker> asker);
  /// Lists the folder; fails as that does.
  Task<Result<void>> test(const catalog::Share& share);

 private:
  Task<Result<std::vector<AccountId>>> ids_of(const std::vector<std::string>& names);

  catalog::Catalog& catalog_;
  MountBackends& backends_;
};

/// `invalid` unless the name can be that of an item: it becomes one when the mount is copied.
Result<void> check_mount_name(std::string_view name);
/// `invalid` unless it has up to 1000 characters, without control characters.
Result<void> check_description(std::string_view description);

/// The folders of this server beneath which administrators may share folders by the API. Links that
/// lead out of them are not followed. Safe from any thread. Calls wait for disks and fail with
/// `forbidden` if there are no such roots, for a folder outside of them and for the server's own
/// data, with `not_found` for a missing folder, and with `invalid` for a file.
class ShareRoots {
 public:
  virtual ~ShareRoots() = default;
  /// The absolute paths of the roots, also of missing ones.
  virtual Result<std::vector<std::string>> roots() const = 0;
  /// The names of the folders in a folder, given by its absolute path, sorted by bytes.
  virtual Task<Result<std::vector<std::string>>> folders_in(std::string folder) = 0;
  /// The path of the folder without links.
  virtual Task<Result<std::string>> locate(std::string folder) = 0;
};

}  // namespace coffer::core
