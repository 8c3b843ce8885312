#pragma once

#include <optional>
#include <string>
#include <vector>

#include "async/task.h"
#include "base/error.h"
#include "catalog/catalog.h"
#include "core/namespace/mounts.h"

namespace coffer::core {

/// What an administrator says of a share; absent fields stay as they are, or take their default.
struct SharePatch {
  std::optional<std::string> name;    ///< A name that an item could have; unique.
  std::optional<std::string> target;  ///< An absolute path of an existing folder on the server.
  std::optional<std::string> description;
  std::optional<bool> read_only;
  std::optional<bool> everyone;  ///< Every account sees it.
  /// The accounts that see it, by name: all of them, and no others.
  std::optional<std::vector<std::string>> accounts;
  std::vector<std::string> added_accounts;    ///< Of a share that not everyone sees.
  std::vector<std::string> removed_accounts;  ///< At least one is left.
  std::optional<catalog::Asker> asker = {};   ///< Nothing: the command line.
};

/// Shared folders, as administrators manage them. Safe from any thread.
class ShareService {
 public:
  ShareService(catalog::Catalog& catalog, MountBackends& backends)
      : catalog_(catalog), backends_(backends) {}

  /// `invalid` for a bad name, a folder that cannot be shared, or no account to see it; `exists`
  /// for a name that is taken.
  Task<Result<catalog::Share>> add(SharePatch patch);
  Task<Result<std::vector<catalog::Share>>> list();
  /// By id or name; `not_found` if there is none.
  Task<Result<catalog::Share>> find(std::string id_or_name);
  Task<Result<catalog::Share>> get(ShareId id);
  /// Another target revokes the keys limited to the share or to a folder in it.
  Task<Result<catalog::Share>> change(std::string id_or_name, SharePatch patch);
  Task<Result<catalog::Share>> change(ShareId id, SharePatch patch);
  /// Withdraws it; the folder stays. Acts on the next request.
  Task<Result<void>> remove(std::string id_or_name);
  Task<Result<void>> remove(ShareId id, std::optional<catalog::Asker> asker);
  /// Lists the folder: what is wrong with it, if anything.
  Task<Result<void>> test(const catalog::Share& share);

 private:
  Task<Result<std::vector<AccountId>>> ids_of(const std::vector<std::string>& names);

  catalog::Catalog& catalog_;
  MountBackends& backends_;
};

/// A mount's name becomes an item's name when it is copied, so it must be able to.
Result<void> check_mount_name(std::string_view name);
/// Up to 1000 characters without control characters.
Result<void> check_description(std::string_view description);

}  // namespace coffer::core
