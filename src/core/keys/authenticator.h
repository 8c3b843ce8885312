#pragma once

#include <memory>
#include <string_view>

#include "async/task.h"
#include "base/error.h"
#include "catalog/keys.h"
#include "core/keys/folder_changes.h"
#include "core/namespace/principal.h"

namespace coffer::core {

/// Finds out who asks. Safe from any thread.
class Authenticator {
 public:
  Authenticator(catalog::Keys& keys, FolderChanges& folder_changes)
      : keys_(keys), folder_changes_(folder_changes) {}

  /// The principal of an API key's secret; `unauthenticated` if the key is not known, revoked, or
  /// its account disabled. Does not wait for a key that is in use; for one whose folder is being
  /// renamed, moved or deleted it waits a moment, and fails with `not_found` where that lasts.
  Task<Result<Principal>> by_key(std::string_view secret);
  /// The same of a share link's token, which is no key's; `not_found` where it opens nothing.
  Task<Result<std::shared_ptr<const catalog::Grant>>> by_link(std::string_view token);

 private:
  Task<Result<std::shared_ptr<const catalog::Grant>>> find(const catalog::SecretHash& hash);

  catalog::Keys& keys_;
  FolderChanges& folder_changes_;
};

}  // namespace coffer::core
