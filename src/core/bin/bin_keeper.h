#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "async/task.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/path.h"
#include "catalog/bin.h"
#include "catalog/catalog.h"
#include "core/accounts/quota.h"
#include "core/namespace/mounts.h"
#include "core/tasks/background.h"

namespace coffer::core {

/// Returns the path of an item in the bin, from the root of the backend that it was deleted from.
Path bin_path_of(const catalog::BinItem& item);

/// True if the mount, which the item was deleted from, still leads to the place that has the item.
bool lies_in(const catalog::BinItem& item, const Mount& mount);

/// Keeps the catalog's records of the bins' items consistent with the folders of the bins, and
/// deletes items permanently. Works on the items of all accounts. Safe from any thread.
///
/// An operation on an item is unfinished while the item's state is not `kept`. The state `open`
/// means that the item is moving into or out of the bin; after a crash it may be inside or outside.
class BinKeeper final : public QuotaRelief {
 public:
  BinKeeper(catalog::Catalog& catalog, HomeDirectories& homes, Mounts& mounts)
      : catalog_(catalog), homes_(homes), mounts_(mounts) {}

  /// Marks an item that a running operation works on. While the guard exists, `reconcile_open` and
  /// `sweep` do not complete this operation, because it is still running.
  class Guard {
   public:
    Guard(BinKeeper& keeper, BinItemId id);
    ~Guard();
    Guard(const Guard&) = delete;
    Guard& operator=(const Guard&) = delete;

   private:
    BinKeeper& keeper_;
    const BinItemId id_;
  };

  /// Deletes an item permanently. `not_found` if the item is not in the bin, or is being restored
  /// or deleted. After any other failure, what is left of the item stays in the bin.
  Task<Result<void>> discard(catalog::BinItem item);
  /// Ends the state `open` of an item: looks for the item in the folder of the bin. If it is there,
  /// its state becomes `kept` and its size is recorded. Otherwise its record is deleted.
  Task<Result<void>> reconcile(catalog::BinItem item);
  /// Completes the operations on an account's items that a crash or an unreachable server has left
  /// unfinished. Logs the operations that still cannot be completed.
  Task<void> reconcile_open(AccountId account);
  /// Completes the unfinished operations on the items of all accounts. Then permanently deletes the
  /// items that were put into the bin earlier than `before`, and the items of removed accounts. If
  /// such an item's mount leads to another place by now, only the record is deleted. Work on
  /// servers goes on in `background`, beside each other for each account, unless work of an earlier
  /// call still does.
  Task<void> sweep(Timestamp before, Background& background);
  /// Makes `sweep` stop before its next item, when the program shuts down.
  void end() { is_ending_ = true; }

  // QuotaRelief: these functions free space by deleting items permanently from the bin in the
  // account's home directory. The item that was put into the bin first is deleted first.
  Task<std::uint64_t> freeable_bytes(AccountId account) override;
  Task<bool> free_up(AccountId account, std::uint64_t bytes) override;

 private:
  struct OpenPlace {
    std::shared_ptr<storage::Backend> backend;
    bool has_quota = false;
    bool is_other = false;  ///< The mount leads to another place than that which has the item.
  };
  Task<Result<OpenPlace>> open(const catalog::BinItem& item);
  /// The same, but `unavailable` if the mount leads to another place: the item may be there again.
  Task<Result<OpenPlace>> place_of(const catalog::BinItem& item);
  Task<void> discard_due(const catalog::BinItem& item);
  Task<Result<void>> discard_claimed(const catalog::BinItem& item);
  Task<Result<void>> remove(const catalog::BinItem& item);
  Task<void> reconcile_each(std::vector<catalog::BinItem> items);
  struct Sweep {
    std::vector<catalog::BinItem> unfinished;
    std::vector<catalog::BinItem> due;
  };
  Task<void> sweep_each(Sweep sweep);
  Task<void> sweep_servers(AccountId account, Sweep sweep);
  bool begin_on_servers(AccountId account);
  Task<void> reconcile_one(catalog::BinItem item);
  bool is_guarded_once(const BinItemId& id);

  catalog::Catalog& catalog_;
  HomeDirectories& homes_;
  Mounts& mounts_;
  std::mutex mutex_;
  std::multiset<std::string> guarded_;  ///< Ids of items, one for each guard.
  std::set<AccountId> swept_on_servers_;
  std::atomic<bool> is_ending_ = false;
};

}  // namespace coffer::core
