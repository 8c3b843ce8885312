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

/// A request for a new key.
struct KeyRequest {
  std::string name;  ///< The label: 1 to 100 characters.
  Path folder;  ///< Relative to the principal's root; the root means the principal's own reach.
  bool read_only = false;
  std::optional<Timestamp> expires_at = {};  ///< In the future.
};

struct CreatedKey {
  catalog::Key key;
  std::string secret;  ///< Shown this once; only its hash is kept.
};

/// API keys under the rules of the contract. A principal with a scope sees, makes and revokes only
/// keys scoped to its folder or below. Safe from any thread.
class KeyService {
 public:
  KeyService(catalog::Catalog& catalog, HomeDirectories& homes, Mounts& mounts,
             FolderChanges& folder_changes)
      : keys_(catalog.keys()),
        homes_(homes),
        mounts_(mounts),
        access_recheck_(catalog, mounts),
        folder_changes_(folder_changes) {}

  Task<Result<std::vector<catalog::Key>>> list(const Principal& principal);
  /// Makes a key. The folder must be there (`not_found`, `invalid`). `invalid` for a bad label or
  /// time, `forbidden` for a key that may only read. Waits for changes of folders there, so that
  /// the key never opens another folder.
  Task<Result<CreatedKey>> create(const Principal& principal, KeyRequest request);
  /// Revokes a key. `forbidden` for a principal that may only read, `not_found` for a key that it
  /// does not see. When it returns, no request is accepted with the key, nor with what was made
  /// with it if `made` is `ends`.
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
