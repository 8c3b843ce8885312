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

/// Keeps the scopes of keys in step with renames, moves and deletions of folders, so that at no
/// step, and after no crash, a key opens another folder than its own (ADR 18): the keys of a folder
/// open nothing from before its name changes until the catalog has their new scope. Safe from any
/// thread.
class FolderChanges {
 public:
  FolderChanges(catalog::Catalog& catalog, Mounts& mounts) : catalog_(catalog), mounts_(mounts) {}

  /// One change under way, from `begin` to `end`.
  class Change;
  /// Begins the rename or move of an item to `to`, or its deletion (no `to`), before it is made;
  /// the move of a copy begins when the copy stands. Waits for changes of the same places that
  /// concern keys. `not_found` if keys are limited to `from`, but it is not there.
  Task<Result<Change>> begin(AccountId account, const ResolvedPath& from, const ResolvedPath* to);

  /// Locks the place of `folder`, a path from the account's root, against all changes, so that a
  /// key can be made for it.
  Task<FolderLocks::Lock> lock_for_new_key(AccountId account, const Path& folder);

  /// Locks the place of the principal's scope against its changes: from the last check of the
  /// rights until what was done by path is complete. Returns nullopt, at no cost, without a scope.
  Task<std::optional<FolderLocks::Lock>> lock_scope(const Principal& principal);

  /// Waits until the change that a key is in transit for has ended, for two seconds at most, and
  /// returns the key's new grant; `not_found` if it lasts longer, `unauthenticated` if the key was
  /// revoked by it.
  Task<Result<std::shared_ptr<const catalog::Grant>>> wait_for_change(
      std::shared_ptr<const catalog::Grant> grant);

  /// Revokes the keys whose folders were being changed when the server stopped, with a line in the
  /// log and in the audit log for each. To be called before anything is served.
  Task<Result<void>> revoke_interrupted();

 private:
  using Shares = std::vector<ShareFolder>;
  using Views = std::vector<ChangeView>;
  /// The end of a change that the catalog has not been told of yet.
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
  /// Tells the catalog of the changes that have ended. False if it fails, which is logged; they are
  /// tried again with the next change and the next request with such a key.
  Task<bool> write_endings();

  catalog::Catalog& catalog_;
  Mounts& mounts_;
  FolderLocks locks_;
  std::mutex mutex_;
  std::vector<Ending> unwritten_;  ///< Under the mutex.
};

/// A change that is destroyed before its end revokes the keys that it concerns.
class FolderChanges::Change {
 public:
  Change(Change&&) = default;
  Change& operator=(Change&&) = delete;
  ~Change();

  /// Ends the change with the result of the rename, move or deletion. `may_be_folder` is false for
  /// an item that is known to be a file.
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

  /// Notes the change, if there are keys that it concerns.
  Task<Result<void>> note();
  Task<Result<void>> note_keys_made_meanwhile();
  Task<void> end_with(std::optional<ErrorCode> failure, bool may_be_folder);
  Task<std::set<Path>> find_standing(ErrorCode failure);

  FolderChanges* changes_;
  FolderLocks::Lock lock_;
  AccountId account_;
  ResolvedPath from_;
  std::optional<ResolvedPath> to_;
  Shares shares_;  ///< As they were before the change.
  storage::ItemIdentity identity_;
  std::vector<Noted> noted_;
  std::set<Path> scopes_;  ///< Of the keys in transit.
};

}  // namespace coffer::core
