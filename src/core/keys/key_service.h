#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "async/task.h"
#include "base/error.h"
#include "base/path.h"
#include "catalog/catalog.h"
#include "core/keys/folder_changes.h"
#include "core/namespace/access_recheck.h"
#include "core/namespace/mounts.h"
#include "core/namespace/principal.h"

namespace coffer::core {

struct KeyRequest {
  std::string name;  ///< The label: 1 to 100 characters.
  /// The folder that the key gives access to, from the principal's root. May be the root itself.
  Path folder;
  bool read_only = false;
  std::optional<Timestamp> expires_at = {};  ///< Must be in the future.
};

struct CreatedKey {
  catalog::Key key;
  std::string secret;  ///< The key itself. It cannot be read again: the catalog stores its hash.
};

/// Manages API keys. A principal that is limited to a folder can list, create and revoke only keys
/// for this folder or for folders below it. Safe from any thread.
class KeyService {
 public:
  KeyService(catalog::Catalog& catalog, HomeDirectories& homes, Mounts& mounts,
             FolderChanges& folder_changes)
      : keys_(catalog.keys()),
        homes_(homes),
        mounts_(mounts),
        access_recheck_(catalog, mounts),
        folder_changes_(folder_changes) {}

  /// Returns the account's keys that the principal can see.
  Task<Result<std::vector<catalog::Key>>> list(const Principal& principal);
  /// Creates a key. `invalid` if the name or the expiry is not valid, or `folder` is a file;
  /// `not_found` if `folder` does not exist; `forbidden` if the principal may only read; as
  /// check_confirmed; `conflict` while the folder is being renamed, moved or deleted. Changes that
  /// begin later wait until the key is stored, so that the key never gives access to another
  /// folder.
  Task<Result<CreatedKey>> create(const Principal& principal, KeyRequest request);
  /// Revokes a key. `forbidden` if the principal may only read; `not_found` if the principal cannot
  /// see the key. After the return, no request with the key is accepted. With `Made::ends`, also
  /// ends the keys and share links that were created by requests with this key.
  Task<Result<void>> revoke(const Principal& principal, std::string_view id,
                            catalog::Made made = catalog::Made::stays);

 private:
  Task<Result<catalog::Key>> store(const Principal& principal, const Path& folder,
                                   catalog::NewKey wanted);

  catalog::Keys& keys_;
  HomeDirectories& homes_;
  Mounts& mounts_;
  AccessRecheck access_recheck_;
  FolderChanges& folder_changes_;
};

}  // namespace coffer::core
