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
#include "core/keys/scope_fates.h"
#include "core/namespace/mounts.h"
#include "core/namespace/namespace.h"
#include "core/namespace/principal.h"

namespace coffer::core {

/// Keeps what keys are limited to in step with what happens to folders, so that at no step, and
/// after no crash, a key opens what it was not made for (ADR 18): the keys of a folder open nothing
/// from before its name changes until the catalog has its new name. Safe from any thread.
class FolderChanges {
 public:
  /// A server's, which may decide what became of changes that no server is at work on any more, or
  /// a command's beside a server.
  enum class Owner : std::uint8_t { server, command };

  FolderChanges(catalog::Catalog& catalog, HomeDirectories& homes, Mounts& mounts, Owner owner)
      : catalog_(catalog), homes_(homes), mounts_(mounts), owner_(owner) {}

  /// One change under way, from `begin` to `end`. Destroyed before that, it leaves the decision to
  /// the next request with such a key, or the next start.
  class Change;
  /// Before an item gets another name or place (`to`), or is deleted (no `to`). For a copy whose
  /// source is to be deleted, when the copy stands. Waits for changes that it must not meet.
  /// `not_found` if keys are limited to `from`, but it is not there. The places outlive the change.
  Task<Result<Change>> begin(AccountId account, const ResolvedPath& from, const ResolvedPath* to);

  /// Keeps all changes out of the place of `folder`, a path from the account's root, while a key is
  /// limited to it.
  Task<Result<FolderLocks::Hold>> keep_out(AccountId account, const Path& folder);

  /// Keeps the folder that the principal's key is limited to at its name: to be held from the last
  /// look at its rights until what was done by path stands. Nothing without such a key, which costs
  /// nothing.
  Task<std::optional<FolderLocks::Hold>> keep_still(const Principal& principal);

  /// The grant of a key in transit once that is over; `not_found` if it lasts, `unauthenticated` if
  /// the key was revoked by it.
  Task<Result<std::shared_ptr<const catalog::Grant>>> arrived(
      std::shared_ptr<const catalog::Grant> grant);

  /// Decides what became of changes that a crash cut off, by what is there now: those on this
  /// machine's disks, or those that concern servers, which may take long.
  enum class Where : std::uint8_t { here, on_servers };
  /// What cannot be looked at is left for the requests with such keys, and the log tells.
  Task<Result<void>> settle_all(Where where);

 private:
  using Shares = std::vector<ShareFolder>;
  using ScopeChangeList = std::vector<catalog::ScopeChange>;
  Task<Result<Shares>> shares_about(const ResolvedPath& from, const ResolvedPath* to);
  Task<Result<bool>> concerns_keys(AccountId account, const ResolvedPath& place,
                                   const Shares& shares);
  /// The change by each way to the folder, maybe with what tells it from others.
  enum class Details : std::uint8_t { none, identities };
  Task<Result<ScopeChangeList>> describe(AccountId account, const ResolvedPath& from,
                                         const ResolvedPath* to, const Shares& shares,
                                         Details details);
  /// What waits for a server is decided only with `on_servers`, and only the account's own: one
  /// account's server holds up no other.
  Task<Result<void>> settle_about(AccountId account, const Path& folder, Where where);
  Task<Result<void>> settle_about(AccountId account, const ScopeChangeList& changes);
  /// The same for one of them, seen as its account, or, if that is gone, as another.
  Task<Result<void>> settle(catalog::ScopeChange change, AccountId as);
  /// Decides of a change that concerns a server what this machine's disks tell: which keys stay
  /// with the folder, and that others' keys cannot have followed it. The rest waits for the server.
  Task<Result<void>> settle_here(catalog::ScopeChange change, AccountId as);
  /// What the fates are now, of keys with these scopes.
  Task<Result<ScopeFates>> look(catalog::ScopeChange change, AccountId as,
                                const std::vector<Path>& scopes);
  /// For what is to happen to the folder: keys that may have come there from a server, which was
  /// not to be asked, have not.
  Task<Result<void>> turn_away(AccountId account, const Path& folder);
  /// By each way to the folder; none if there are no keys by any.
  Task<Result<ScopeChangeList>> note(AccountId account, const ResolvedPath& from,
                                     const ResolvedPath* to, const Shares& shares);
  bool is_live(const std::string& id);
  void set_live(const ScopeChangeList& changes, bool live);

  catalog::Catalog& catalog_;
  HomeDirectories& homes_;
  Mounts& mounts_;
  const Owner owner_;
  FolderLocks locks_;
  std::mutex mutex_;
  std::set<std::string> live_;  ///< The ids of changes that this process is at work on.
};

class FolderChanges::Change {
 public:
  Change(Change&&) = default;
  Change& operator=(Change&&) = delete;
  ~Change();

  /// After the change was made, or failed. `may_be_folder` is false for what is known to be none.
  Task<void> end(bool done, bool may_be_folder = true);

 private:
  friend class FolderChanges;
  Change(FolderChanges& changes, FolderLocks::Hold hold, AccountId account,
         const ResolvedPath& from, const ResolvedPath* to, Shares shares)
      : changes_(&changes),
        hold_(std::move(hold)),
        account_(account),
        from_(&from),
        to_(to),
        shares_(std::move(shares)) {}

  Task<Result<void>> end_noted(bool done);
  Task<Result<void>> follow_those_made_meanwhile();

  FolderChanges* changes_;
  FolderLocks::Hold hold_;
  AccountId account_;
  const ResolvedPath* from_;
  const ResolvedPath* to_;
  Shares shares_;  ///< As they were before the change.
  ScopeChangeList noted_;
};

}  // namespace coffer::core
