#pragma once

#include <chrono>
#include <cstddef>
#include <limits>
#include <memory>
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

/// True if deleted items can go into a bin: the place is writable and renames folders in one step.
bool has_bin(const ResolvedPath& place);

/// The original path of an item, from the root of the account that deleted it.
Path origin_of(const catalog::BinItem& item);

/// Deleted items that can be restored. They lie in a hidden folder of their place. Each account
/// sees the items that it deleted itself. Safe from any thread.
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
        kept_(kept) {}

  /// How long items stay in the bin.
  std::chrono::days kept() const { return kept_; }

  /// Moves an item into the bin of its place and revokes the keys that are limited to it. Fails as
  /// Files::remove does, or with `invalid` if there is no bin.
  Task<Result<void>> take(const Principal& principal, const Path& path);

  /// A page of items, the newest first, in places that the account can still reach.
  struct Listing {
    std::vector<catalog::BinItem> items;
    std::optional<catalog::Bin::Position> next;  ///< The next page begins behind it.
  };
  Task<Result<Listing>> list(const Principal& principal,
                             std::optional<catalog::Bin::Position> after, std::size_t most);
  /// Returns an item that may be restored or deleted. `not_found` for an id that the principal may
  /// not know of, `forbidden` if it may not write there.
  Task<Result<catalog::BinItem>> find(const Principal& principal, BinItemId id);
  /// Deletes an item permanently.
  Task<Result<void>> discard(const Principal& principal, BinItemId id);
  /// Deletes all items that the principal may delete. Tries each, and returns the first failure.
  Task<Result<void>> discard_all(const Principal& principal);

  /// An item that is being restored, for its caller alone.
  struct Leaving {
    catalog::BinItem item;
    std::unique_ptr<BinKeeper::Guard> hold;
  };
  Task<Result<Leaving>> begin_restoring(const Principal& principal, BinItemId id);
  /// Ends restoring. An item that is still in the bin is listed again; so is one whose server does
  /// not answer, for which this fails.
  Task<Result<void>> end_restoring(Leaving leaving);

 private:
  struct Taking;
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
  const std::chrono::days kept_;
  AccountSlots reconciling_{std::numeric_limits<std::size_t>::max(), 1};  ///< For `reconcile_open`.
};

}  // namespace coffer::core
