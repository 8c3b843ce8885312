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

/// True where deleting can go into a bin: what may be written to, and takes a folder to another
/// name in one step.
bool has_bin(const ResolvedPath& place);

/// Where an item of the bin was, from the root of the account that deleted it.
Path origin_of(const catalog::BinItem& item);

/// What was deleted and can be had back: it lies, out of sight, in a folder of its own place. Each
/// account sees what it deleted itself. Safe from any thread.
class BinService {
 public:
  BinService(catalog::Catalog& catalog, HomeDirectories& homes, Mounts& mounts, const Quota& quota,
             FolderChanges& folder_changes, AccessRecheck& access_recheck,
             MoveCopyService& move_copy, BinKeeper& keeper, std::chrono::days kept)
      : catalog_(catalog),
        homes_(homes),
        mounts_(mounts),
        quota_(quota),
        folder_changes_(folder_changes),
        access_recheck_(access_recheck),
        move_copy_(move_copy),
        keeper_(keeper),
        kept_(kept) {}

  /// How long the bins keep what they hold.
  std::chrono::days kept() const { return kept_; }

  /// Takes an item from its place into the bin of that, and revokes the keys scoped there. Fails as
  /// Files::remove does, or with `invalid` where there is no bin.
  Task<Result<void>> take(const Principal& principal, const Path& path);

  /// The newest first, from behind `after`, of places that the account still sees. What a server
  /// that was lost left open is looked for behind.
  struct Listing {
    std::vector<catalog::BinItem> items;
    std::optional<catalog::Bin::Position> next;  ///< Where there may be more.
  };
  Task<Result<Listing>> list(const Principal& principal,
                             std::optional<catalog::Bin::Position> after, std::size_t most);
  /// One that may be restored or discarded: `not_found` for an id that the principal may not know
  /// of, `forbidden` where it may not write.
  Task<Result<catalog::BinItem>> find(const Principal& principal, BinItemId id);
  /// Deletes one for good.
  Task<Result<void>> discard(const Principal& principal, BinItemId id);
  /// Deletes all for good that may be; fails with the first failure when all were tried.
  Task<Result<void>> discard_all(const Principal& principal);

  /// An item on its way out of the bin, which is the caller's alone.
  struct Leaving {
    catalog::BinItem item;
    std::unique_ptr<BinKeeper::Hold> hold;
  };
  Task<Result<Leaving>> begin_restoring(const Principal& principal, BinItemId id);
  /// What stayed in the bin shows there again; also when this fails, since its server does not say
  /// whether it is there.
  Task<Result<void>> end_restoring(Leaving leaving);

 private:
  struct Taking;
  Task<Result<Taking>> plan(const Principal& principal, const Path& path);
  Task<Result<void>> move_into_bin(const Principal& principal, const ResolvedPath& from,
                                   const ResolvedPath& to, bool is_folder);
  void end_open_behind(AccountId account);
  Task<Result<bool>> may_write(const Principal& principal, const catalog::BinItem& item);

  catalog::Catalog& catalog_;
  HomeDirectories& homes_;
  Mounts& mounts_;
  const Quota quota_;
  FolderChanges& folder_changes_;
  AccessRecheck& access_recheck_;
  MoveCopyService& move_copy_;
  BinKeeper& keeper_;
  const std::chrono::days kept_;
  AccountSlots looks_{std::numeric_limits<std::size_t>::max(), 1};  ///< At what is open.
};

}  // namespace coffer::core
