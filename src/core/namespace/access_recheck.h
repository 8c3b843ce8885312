#pragma once

#include <optional>
#include <vector>

#include "async/task.h"
#include "base/error.h"
#include "catalog/catalog.h"
#include "core/namespace/mounts.h"
#include "core/namespace/principal.h"

namespace coffer::core {

/// The use of a mount by an operation; `mount` is nullopt for own files.
struct MountUse {
  std::optional<Mount> mount;
  bool writes = false;
};

/// Checks whether the rights that a request began with still stand, before something is published
/// and before each item of long work. Reads the catalog's cache, and the catalog only after
/// changes. Safe from any thread.
class AccessRecheck {
 public:
  AccessRecheck(catalog::Catalog& catalog, Mounts& mounts) : catalog_(catalog), mounts_(mounts) {}

  /// `unauthenticated` if the key was revoked, the session ended or the account was disabled;
  /// `not_found` if the key's folder or one of the mounts was removed; `forbidden` if a mount was
  /// withdrawn or became read-only; otherwise fails as the catalog.
  Task<Result<void>> of(const Principal& principal, std::vector<MountUse> uses);

 private:
  Task<Result<void>> of_credential(const Principal& principal);
  Task<Result<void>> of_key(const Principal& principal);
  Task<Result<void>> of_session(const catalog::SecretHash& hash);
  Task<Result<void>> of_account(AccountId account);
  Task<Result<void>> of_mount(AccountId account, const MountUse& use);
  Task<Result<void>> why_gone(const Mount& mount);

  catalog::Catalog& catalog_;
  Mounts& mounts_;
};

/// True if the failure is a lost right and not a failure of the catalog.
bool is_withdrawal(const Error& error);

}  // namespace coffer::core
