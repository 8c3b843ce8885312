#pragma once

#include <optional>
#include <vector>

#include "async/task.h"
#include "base/error.h"
#include "catalog/catalog.h"
#include "core/namespace/mounts.h"
#include "core/namespace/principal.h"

namespace coffer::core {

/// A mount that an operation uses; `mount` is nullopt for the account's own files.
struct MountUse {
  std::optional<Mount> mount;
  bool writes = false;
};

/// Checks whether the rights with which a request began are still valid. Use it before something is
/// published, and before each item of long work. Reads the catalog's cache; reads the database only
/// after changes. Safe from any thread.
class AccessRecheck {
 public:
  AccessRecheck(catalog::Catalog& catalog, Mounts& mounts) : catalog_(catalog), mounts_(mounts) {}

  /// Checks the principal and the mounts of `uses`. Errors, besides those of the catalog:
  /// - `unauthenticated` if the key was revoked or has expired, the session has ended, or the
  ///   account was disabled;
  /// - `not_found` if the key's folder was or is being moved, or one of the mounts was removed;
  /// - `forbidden` if a share was withdrawn from the account, or a mount to write to became
  ///   read-only.
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

/// Returns true if an error of AccessRecheck::of means a lost right, not a failed catalog call.
bool is_withdrawal(const Error& error);

}  // namespace coffer::core
