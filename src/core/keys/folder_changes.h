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

/// Updates the scopes of keys when folders change. A change is the rename, move or deletion of a
/// folder. It concerns the keys that are limited to this folder or to a folder in it. These keys
/// are suspended: they give no access until the catalog has their new scopes. So a key never gives
/// access to a wrong folder, even after a crash (docs/adr/0018). Unfinished uploads into these
/// folders follow too, within their place. Safe from any thread.
class FolderChanges {
 public:
  FolderChanges(catalog::Catalog& catalog, Mounts& mounts)
      : catalog_(catalog), mounts_(mounts), locks_(catalog.folder_locks()) {}

  class Change;
  // On this machine's disks, paths that are given must not have symbolic links above their last
  // components (see follow_links): else a link that changes meanwhile would make the change one of
  // another folder than the keys'.

  /// Begins a change: the rename of `from` to `to`, or the deletion of `from` if `to` is null. The
  /// places (see FolderLocks) of both paths are locked until the end of the change. Errors:
  /// - `conflict` while one of the paths, or a path above or below it, is in a move (begin_move)
  /// - the backend's error, such as `not_found`, if the change concerns keys but `from` cannot be
  ///   read
  Task<Result<Change>> begin(AccountId account, const ResolvedPath& from, const ResolvedPath* to);
  /// Begins the move of the item `from` to another backend. Call it just before the copy gets its
  /// name `to`. A move can take long and keeps no locks. Instead, until its end, other changes of
  /// the two items or of items above or below them, and new keys there, fail with `conflict`. The
  /// same holds for the name `aside`, which the source gets in the end. If the source is in no
  /// share, this holds for changes by its own account only; what others change at the new place
  /// ends the keys that were to follow there. Servers are asked before any lock is taken.
  Task<Result<Change>> begin_move(AccountId account, const ResolvedPath& from,
                                  const ResolvedPath& to, const Name& aside);

  /// Locks the place (see FolderLocks) of `folder` exclusively, so that no folder there is changed
  /// while a key for `folder` is created. `folder` is a path from the account's root. Fails as
  /// FolderLocks::acquire does.
  Task<Result<FolderLocks::Lock>> lock_for_new_key(AccountId account, const Path& folder);

  /// Locks the places (see FolderLocks) of the principal's scope, and of the item of another
  /// account that `place` is in, so that no change can affect these. A write to `place` must hold
  /// this lock from its last check of the principal's rights until it is complete. Returns nullopt
  /// at once if there is neither; fails as FolderLocks::acquire.
  Task<Result<std::optional<FolderLocks::Lock>>> lock_scope(const Principal& principal,
                                                            const ResolvedPath& place);

  /// Waits for the end of the change that suspends the key of `grant`, and returns the key's new
  /// grant. `not_found` if this takes longer than two seconds or the catalog cannot be written;
  /// `unauthenticated` if the change revoked the key.
  Task<Result<std::shared_ptr<const catalog::Grant>>> wait_for_change(
      std::shared_ptr<const catalog::Grant> grant);

  /// Revokes the keys that were suspended when Coffer last stopped, because the results of their
  /// changes are unknown. Logs each key, also in the audit log. Call it before serving requests.
  Task<Result<void>> revoke_interrupted();

 private:
  using Shares = std::vector<ShareFolder>;
  using Views = std::vector<ChangeView>;
  /// The result of an ended change, which must still be written to the catalog.
  struct Ending {
    AccountId account;
    std::string id;
    catalog::ScopeChanges::Follow follow;
    catalog::ScopeChanges::Outcome outcome = catalog::ScopeChanges::Outcome::known;
  };

  /// The scopes of those places of a change that are on servers.
  struct ServerScopes {
    std::optional<Path> from;
    std::optional<Path> to;
  };
  /// Asks the servers. Call it without a lock: others must not wait for an account's server.
  static Task<Result<ServerScopes>> ask_servers(const ResolvedPath& from, const ResolvedPath& to);
  /// Returns the change, with its places locked. Records nothing yet.
  Task<Result<Change>> prepare(AccountId account, const ResolvedPath& from, const ResolvedPath* to,
                               ServerScopes known);
  Task<Result<Shares>> shares_of(const ResolvedPath& from, const ResolvedPath* to);
  Task<Result<bool>> concerns_keys(AccountId account, const ResolvedPath& place,
                                   const std::optional<Path>& known, const Shares& shares);
  Task<Result<bool>> concerns_mount_keys(AccountId account, const ResolvedPath& place,
                                         const std::optional<Path>& known, const Shares& shares);
  /// Returns how a change of `from` to `to` (null: a deletion) looks in all places; last, how it
  /// does in the own files or mount that it is in.
  Task<Result<Views>> views_of(AccountId account, const ResolvedPath& from, const ResolvedPath* to,
                               const ServerScopes& known, const Shares& shares);
  /// The same for own files, of the account or of another that shares them.
  Task<Result<Views>> views_in_tree(AccountId account, const ResolvedPath& from,
                                    const ResolvedPath* to, const ServerScopes& known);
  Task<Result<std::set<std::string>>> places_of(AccountId account, const Path& path);
  void add(Ending ending);
  std::vector<Ending> unwritten();
  /// Writes `unwritten_` to the catalog. If a write fails, logs the failure and returns false.
  /// This function is called again by the next change that concerns keys, the next new key that is
  /// limited to a folder, and the next request with a suspended key.
  Task<bool> write_endings();

  catalog::Catalog& catalog_;
  Mounts& mounts_;
  FolderLocks locks_;
  std::mutex mutex_;
  std::vector<Ending> unwritten_;  ///< Protected by `mutex_`.
};

/// A change in progress. If the object is destroyed before `end`, `follow` or `cancel` is called,
/// the keys that the change concerns are revoked.
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
  /// Ends a move: the keys follow the folder to its new place.
  Task<void> follow();
  /// Ends a move that failed. If `has_name`, the folder `from` still has its name and the keys keep
  /// their scopes; otherwise the keys are revoked.
  Task<void> cancel(bool has_name);

 private:
  friend class FolderChanges;
  Change(FolderChanges& changes, FolderLocks::Lock lock, AccountId account, ResolvedPath from,
         const ResolvedPath* to, ServerScopes known, Shares shares, bool concerns_keys)
      : changes_(&changes),
        lock_(std::move(lock)),
        account_(account),
        from_(std::move(from)),
        to_(to ? std::optional(*to) : std::nullopt),
        known_(std::move(known)),
        shares_(std::move(shares)),
        concerns_keys_(concerns_keys) {}

  struct Noted {
    std::string id;
    ChangeView view;
  };

  using Record = catalog::ScopeChanges::Record;

  /// Records the change in the catalog and suspends the keys.
  Task<Result<void>> note(Record record, const Name* aside = nullptr);
  Task<Result<void>> note_keys_made_meanwhile();
  Task<void> end_with(std::optional<ErrorCode> failure, bool may_be_folder);
  Task<std::set<Path>> find_standing(ErrorCode failure);
  /// Ends the change and unlocks. `follow_of(view)` returns the function from old to new scopes.
  template <class FollowOf>
  Task<void> finish(FollowOf follow_of, catalog::ScopeChanges::Outcome outcome);

  FolderChanges* changes_;
  FolderLocks::Lock lock_;
  AccountId account_;
  ResolvedPath from_;
  std::optional<ResolvedPath> to_;
  ServerScopes known_;
  Shares shares_;  ///< The shares before the change.
  bool concerns_keys_;
  storage::ItemIdentity identity_;
  std::vector<Noted> noted_;
  std::set<Path> scopes_;  ///< The scopes of the suspended keys.
};

}  // namespace coffer::core
