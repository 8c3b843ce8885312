#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "async/task.h"
#include "base/error.h"
#include "catalog/bin.h"
#include "core/accounts/account_slots.h"
#include "core/accounts/quota.h"
#include "core/bin/bin_keeper.h"
#include "core/files/move_copy_service.h"
#include "core/keys/folder_changes.h"
#include "core/namespace/access_recheck.h"
#include "core/namespace/namespace.h"
#include "core/namespace/principal.h"

namespace coffer::core {

/// Returns true if items deleted at `place` can go into a bin: the path is writable, and its
/// backend renames folders in one step.
bool has_bin(const ResolvedPath& place);

/// Returns the original path of an item, from the root of the account that deleted it.
Path origin_of(const catalog::BinItem& item);

/// The bins, which contain deleted items that can be restored. Every home directory, share and
/// connector has its own bin (except where has_bin is false): a hidden folder in its top folder. An
/// account sees the items that it has deleted itself, and those that others have deleted in what it
/// shares with them. Safe from any thread.
class BinService {
 public:
  BinService(catalog::Catalog& catalog, HomeDirectories& homes, Mounts& mounts, const Quota& quota,
             FolderChanges& folder_changes, AccessRecheck& access_recheck,
             MoveCopyService& move_copy, BinKeeper& keeper, std::chrono::days kept)
      : catalog_(catalog),
        mounts_(mounts),
        namespace_(homes, mounts),
        quota_(quota),
        folder_changes_(folder_changes),
        access_recheck_(access_recheck),
        move_copy_(move_copy),
        keeper_(keeper),
        kept_(kept.count()) {}

  /// Returns how long items stay in the bin.
  std::chrono::days kept() const { return std::chrono::days(kept_.load()); }
  /// Changes it from now on. Safe from any thread.
  void keep_for(std::chrono::days kept) { kept_ = kept.count(); }

  /// Moves an item into the bin and revokes the keys that are limited to it or to a folder in it.
  /// Fails as Files::remove does, with `invalid` if there is no bin (see has_bin), or with
  /// `rate_limited` if the account has about catalog::kMostBinItems in the bins.
  Task<Result<void>> take(const Principal& principal, const Path& path);
  /// Returns whether there is a bin for the item; `forbidden` if the principal may not write there.
  Task<Result<bool>> is_for(const Principal& principal, const Path& path);

  /// A page of items. The item that was deleted last comes first. Items of mounts that the account
  /// can no longer access are left out.
  struct Listing {
    std::vector<catalog::BinItem> items;
    /// The start of the next page; nullopt at the end.
    std::optional<catalog::Bin::Position> next;
  };
  /// Returns a page of at most `most` items. It begins after the position `after`, if there is one.
  Task<Result<Listing>> list(const Principal& principal,
                             std::optional<catalog::Bin::Position> after, std::size_t most);
  /// Returns an item that the principal may restore or delete. Errors:
  /// - `not_found` if the account has no such item, or can no longer access the item's mount
  /// - `forbidden` if the principal may not write to the location that the item was deleted from
  Task<Result<catalog::BinItem>> find(const Principal& principal, BinItemId id);
  /// Deletes an item permanently. Fails as `find` and BinKeeper::discard do.
  Task<Result<void>> discard(const Principal& principal, BinItemId id);
  /// Permanently deletes every item that the principal may delete. If some fail, returns an error.
  /// Stops with an error of AccessRecheck::of when the principal loses its right, and with
  /// `overloaded` after `end`.
  Task<Result<void>> discard_all(const Principal& principal);
  /// Makes `discard_all` stop before its next item, when the program shuts down.
  void end() { is_ending_ = true; }

  /// An item that is being restored. No other operation on the item can begin before end_restoring.
  struct Leaving {
    catalog::BinItem item;
    std::unique_ptr<BinKeeper::Guard> hold;
  };
  /// Claims an item, so that only the caller may restore or delete it. Fails as `find` does, and
  /// with `not_found` if the item is already being restored or deleted.
  Task<Result<Leaving>> begin_restoring(const Principal& principal, BinItemId id);
  /// Ends the claim of begin_restoring. Call it whether the item could be restored or not. If the
  /// item is still in the bin, it is listed again. If that cannot be found out, the item is also
  /// listed again, and the call fails.
  Task<Result<void>> end_restoring(Leaving leaving);

 private:
  struct Taking;
  Task<Result<void>> count_in(AccountId account);
  Task<Result<Taking>> plan(const Principal& principal, const Path& path);
  Task<Result<void>> move_into_bin(const Principal& principal, const ResolvedPath& from,
                                   const ResolvedPath& to, bool is_folder);
  void spawn_reconcile(AccountId account);
  Task<Result<bool>> may_write(const Principal& principal, const catalog::BinItem& item);

  catalog::Catalog& catalog_;
  Mounts& mounts_;
  const Namespace namespace_;
  const Quota quota_;
  FolderChanges& folder_changes_;
  AccessRecheck& access_recheck_;
  MoveCopyService& move_copy_;
  BinKeeper& keeper_;
  std::atomic<std::chrono::days::rep> kept_;
  std::atomic<bool> is_ending_ = false;
  std::mutex mutex_;                       ///< Protects `room_`.
  std::map<AccountId, std::size_t> room_;  ///< How many items go in before they are counted again.
  AccountSlots reconciling_{std::numeric_limits<std::size_t>::max(), 1};  ///< For reconcile_open.
};

}  // namespace coffer::core
