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

/// Returns the hash by which the catalog finds the key, session or share link with this secret:
/// BLAKE2b, 32 bytes (RFC 7693). A fast hash is safe, as a secret has at least 122 random bits.
catalog::SecretHash hash_secret(std::string_view secret);

/// Finds the API key or share link that belongs to the secret in a request. Safe from any thread.
class Authenticator {
 public:
  Authenticator(catalog::Keys& keys, FolderChanges& folder_changes)
      : keys_(keys), folder_changes_(folder_changes) {}

  /// Returns the principal of the API key with this secret. Reads the database only if the key is
  /// not cached. If a change suspends the key (see FolderChanges), waits until the change ends.
  /// `unauthenticated` if the key is unknown, revoked or expired, or its account is disabled;
  /// `not_found` if the change takes longer than two seconds.
  Task<Result<Principal>> by_key(std::string_view secret);
  /// Returns the grant of the share link with this token. `not_found` if the token is unknown, the
  /// link has ended, or a change that suspends the link takes longer than two seconds.
  Task<Result<std::shared_ptr<const catalog::Grant>>> by_link(std::string_view token);

 private:
  Task<Result<std::shared_ptr<const catalog::Grant>>> find(const catalog::SecretHash& hash);

  catalog::Keys& keys_;
  FolderChanges& folder_changes_;
};

}  // namespace coffer::core
