#pragma once

#include <memory>
#include <string_view>

#include "async/task.h"
#include "base/error.h"
#include "catalog/credential.h"
#include "catalog/keys.h"
#include "core/keys/folder_changes.h"
#include "core/namespace/principal.h"

namespace coffer::core {

/// The hash under which the secret of a key, a session or a link is kept: BLAKE2b, 32 bytes (RFC
/// 7693). A secret has at least 122 random bits, so a fast hash without a salt gives nothing away.
catalog::SecretHash hash_secret(std::string_view secret);

/// Finds the principal of a secret that a request shows. Safe from any thread.
class Authenticator {
 public:
  Authenticator(catalog::Keys& keys, FolderChanges& folder_changes)
      : keys_(keys), folder_changes_(folder_changes) {}

  /// The principal of an API key's secret; `unauthenticated` if the key is not known or revoked, or
  /// its account disabled. Does not wait for a key that is in use. Waits for the change of a folder
  /// that the key is limited to, for two seconds at most, and fails with `not_found` then.
  Task<Result<Principal>> by_key(std::string_view secret);
  /// The same for the token of a share link; `not_found` if it is not known or the link has ended.
  Task<Result<std::shared_ptr<const catalog::Grant>>> by_link(std::string_view token);

 private:
  Task<Result<std::shared_ptr<const catalog::Grant>>> find(const catalog::SecretHash& hash);

  catalog::Keys& keys_;
  FolderChanges& folder_changes_;
};

}  // namespace coffer::core
