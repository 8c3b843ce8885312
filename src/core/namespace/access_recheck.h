#pragma once

#include <chrono>
#include <optional>
#include <vector>

#include "async/task.h"
#include "base/error.h"
#include "catalog/catalog.h"
#include "core/namespace/lock_check.h"
#include "core/namespace/mounts.h"
#include "core/namespace/principal.h"

namespace coffer::core {

/// A location that an operation uses: a mount, or the account's own files (`mount` is nullopt).
struct MountUse {
  std::optional<Mount> mount;
  bool writes = false;
};

/// Tells when work that reads or receives for long must check its rights again: not with each
/// piece, because some databases are asked each time. Not safe for concurrent calls.
class RecheckTimer {
 public:
  /// Returns true if two seconds have passed since it last did, or since the construction.
  bool is_due() {
    const auto now = std::chrono::steady_clock::now();
    if (now - checked_at_ < kBetweenChecks) return false;
    checked_at_ = now;
    return true;
  }

 private:
  static constexpr std::chrono::seconds kBetweenChecks{2};
  std::chrono::steady_clock::time_point checked_at_ = std::chrono::steady_clock::now();
};

/// Checks whether a principal still has the rights that it had when its request began. Must be
/// called before something is published, and before each item of a long operation. Fast, because it
/// usually reads only the catalog's cache. Safe from any thread.
class AccessRecheck {
 public:
  AccessRecheck(catalog::Catalog& catalog, Mounts& mounts)
      : catalog_(catalog), mounts_(mounts), locks_(catalog, mounts) {}

  /// Checks the principal and the mounts of `uses`. Errors, besides those of the catalog:
  /// - `unauthenticated` if the key was revoked or has expired, the session has ended (unless by a
  ///   sign-out that the principal outlives), or the account was disabled;
  /// - `not_found` if the key's folder was moved or is being moved, or a mount was removed;
  /// - `forbidden` if the account lost access to a share, or a mount leads to another place, or
  ///   is now read-only and the operation writes to it.
  Task<Result<void>> of(const Principal& principal, std::vector<MountUse> uses);
  /// The same for who is about to change something: also fails as LockCheck::of does. All changes
  /// of items that clients make pass here. Ends locks that give way (catalog::FileLock).
  Task<Result<void>> of_change(const Principal& principal, std::vector<MountUse> uses,
                               std::vector<PlaceChange> changes);
  /// Checks early whether an item that is there may be changed: `forbidden` where the principal may
  /// only add, unless it is an item that it is making (LockCheck::may_complete).
  Task<Result<void>> of_present(const Principal& principal, const ResolvedPath& place);
  LockCheck& locks() { return locks_; }
  /// The same for one who reads a file that is open: it goes with the key's folder where that is
  /// moved.
  Task<Result<void>> of_reader(const Principal& principal, std::vector<MountUse> uses);
  /// The same for one who reads what is for administrators: also `forbidden` if the account is none
  /// any more.
  Task<Result<void>> of_administrator(const Principal& principal);

 private:
  Task<Result<void>> of_mounts(AccountId account, std::vector<MountUse> uses);
  Task<Result<void>> of_credential(const Principal& principal, bool may_move);
  Task<Result<void>> of_key(const Principal& principal, bool may_move);
  Task<Result<void>> of_session(const Principal& principal);
  Task<Result<void>> of_account(AccountId account);
  Task<Result<void>> of_given(const Principal& principal, const PlaceChange& change);
  Task<Result<void>> of_mount(AccountId account, const MountUse& use);
  Task<Result<void>> why_gone(const Mount& mount);

  catalog::Catalog& catalog_;
  Mounts& mounts_;
  LockCheck locks_;
};

/// Returns the error of AccessRecheck::of if a right was lost; nullopt if none was, or if the
/// catalog failed.
std::optional<Error> withdrawal_in(const Result<void>& stands);

}  // namespace coffer::core
