#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "async/task.h"
#include "base/error.h"
#include "base/id.h"
#include "catalog/catalog.h"
#include "core/keys/folder_locks.h"
#include "core/keys/key_scopes.h"
#include "core/namespace/mounts.h"
#include "core/namespace/namespace.h"
#include "core/namespace/principal.h"

namespace coffer::core {

/// Keeps the scopes of keys consistent with renames, moves and deletions of folders. A key never
/// opens another folder than its own, not even after a crash (ADR 18). While its folder is being
/// changed, a key is suspended: it opens nothing until the catalog has its new scope. Safe from any
/// thread.
class FolderChanges {
 public:
  FolderChanges(catalog::Catalog& catalog, Mounts& mounts) : catalog_(catalog), mounts_(mounts) {}

  /// A change in progress, from `begin` to Change::end.
  class Change;
  /// Begins a change: the rename or move of an item to `to`, or its deletion if `to` is null. Call
  /// it before the change is made; for a move by copying, when the copy is complete. Waits for
  /// changes of the same places (see FolderLocks) that concern keys. If this change concerns keys
  /// and `from` cannot be read, fails with the backend's error, such as `not_found`.
  Task<Result<Change>> begin(AccountId account, const ResolvedPath& from, const ResolvedPath* to);

  /// Locks the place (see FolderLocks) of `folder`, a path from the account's root, exclusively. No
  /// folder there can change while a key for `folder` is created.
  Task<FolderLocks::Lock> lock_for_new_key(AccountId account, const Path& folder);

  /// Locks the place (see FolderLocks) of the principal's scope against changes that concern keys.
  /// Hold the lock from the last check of the rights until the operation is complete. Returns
  /// nullopt, without waiting, if the principal has no scope.
  Task<std::optional<FolderLocks::Lock>> lock_scope(const Principal& principal);

  /// Waits until the change that suspends the key of `grant` has ended, at most two seconds, and
  /// returns the key's new grant. `not_found` if the change takes longer; `unauthenticated` if the
  /// change revoked the key.
  Task<Result<std::shared_ptr<const catalog::Grant>>> wait_for_change(
      std::shared_ptr<const catalog::Grant> grant);

  /// Revokes the keys whose folders were being changed when the server stopped. Writes a line to
  /// the log and to the audit log for each key. Call it before requests are served.
  Task<Result<void>> revoke_interrupted();

 private:
  using Shares = std::vector<ShareFolder>;
  using Views = std::vector<ChangeView>;
  /// The end of a change that is not yet written to the catalog.
  struct Ending {
    std::string id;
    catalog::ScopeChanges::Follow follow;
    catalog::ScopeChanges::Outcome outcome = catalog::ScopeChanges::Outcome::known;
  };

  Task<Result<Shares>> shares_of(const ResolvedPath& from, const ResolvedPath* to);
  Task<Result<bool>> concerns_keys(AccountId account, const ResolvedPath& place,
                                   const Shares& shares);
  void add(Ending ending);
  std::vector<Ending> unwritten();
  /// Writes the ended changes to the catalog. Returns false on failure, which is logged. The next
  /// change, and the next request with such a key, write them again.
  Task<bool> write_endings();

  catalog::Catalog& catalog_;
  Mounts& mounts_;
  FolderLocks locks_;
  std::mutex mutex_;
  std::vector<Ending> unwritten_;  ///< Protected by `mutex_`.
};

/// A change in progress. If it is destroyed before its end, the keys that it concerns are revoked.
class FolderChanges::Change {
 public:
  Change(Change&&) = default;
  Change& operator=(Change&&) = delete;
  ~Change();

  /// Ends the change. `result` is the result of the rename, move or deletion. `may_be_folder` is
  /// false if the item is known to be a file.
  template <class T>
  Task<void> end(const Result<T>& result, bool may_be_folder = true) {
    return end_with(result ? std::nullopt : std::optional(result.error().code), may_be_folder);
  }

 private:
  friend class FolderChanges;
  Change(FolderChanges& changes, FolderLocks::Lock lock, AccountId account, ResolvedPath from,
         const ResolvedPath* to, Shares shares)
      : changes_(&changes),
        lock_(std::move(lock)),
        account_(account),
        from_(std::move(from)),
        to_(to ? std::optional(*to) : std::nullopt),
        shares_(std::move(shares)) {}

  struct Noted {
    std::string id;
    ChangeView view;
  };

  /// Records the change in the catalog, if it concerns keys.
  Task<Result<void>> note();
  Task<Result<void>> note_keys_made_meanwhile();
  Task<void> end_with(std::optional<ErrorCode> failure, bool may_be_folder);
  Task<std::set<Path>> find_standing(ErrorCode failure);

  FolderChanges* changes_;
  FolderLocks::Lock lock_;
  AccountId account_;
  ResolvedPath from_;
  std::optional<ResolvedPath> to_;
  Shares shares_;  ///< The shares before the change.
  storage::ItemIdentity identity_;
  std::vector<Noted> noted_;
  std::set<Path> scopes_;  ///< The scopes of the suspended keys.
};

}  // namespace coffer::core
