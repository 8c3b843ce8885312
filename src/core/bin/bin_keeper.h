#pragma once

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

namespace coffer::core {

/// The path of an item in the bin, within its place.
Path bin_path_of(const catalog::BinItem& item);

/// Keeps the catalog's records of bins consistent with their folders, and deletes items
/// permanently, of all accounts. Safe from any thread.
class BinKeeper final : public QuotaRelief {
 public:
  BinKeeper(catalog::Catalog& catalog, HomeDirectories& homes, Mounts& mounts)
      : catalog_(catalog), homes_(homes), mounts_(mounts) {}

  /// Keeps `reconcile_open` and `sweep` away from an item while its owner works on it.
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

  /// Deletes an item permanently. `not_found` if it is not in the bin or is being restored. After
  /// any other failure the item, or the rest of it, stays in the bin.
  Task<Result<void>> discard(catalog::BinItem item);
  /// Records whether an item in the state `open` exists, and its size.
  Task<Result<void>> reconcile(catalog::BinItem item);
  /// Completes the operations that a crash or an unreachable server left unfinished for an account.
  /// Logs those that still cannot be completed.
  Task<void> reconcile_open(AccountId account);
  /// The same for all accounts; then deletes items that are older than `before`, or whose account
  /// was removed.
  Task<void> sweep(Timestamp before);

  Task<std::uint64_t> freeable_bytes(AccountId account) override;
  Task<bool> free_up(AccountId account, std::uint64_t bytes) override;

 private:
  struct OpenPlace {
    std::shared_ptr<storage::Backend> backend;
    bool has_quota = false;
  };
  Task<Result<OpenPlace>> place_of(const catalog::BinItem& item);
  Task<Result<void>> discard_claimed(const catalog::BinItem& item);
  Task<Result<void>> remove(const catalog::BinItem& item);
  Task<void> reconcile_each(std::vector<catalog::BinItem> items);
  Task<void> reconcile_one(catalog::BinItem item);
  /// True if no other guard holds the item.
  bool is_guarded_once(const BinItemId& id);

  catalog::Catalog& catalog_;
  HomeDirectories& homes_;
  Mounts& mounts_;
  std::mutex mutex_;
  std::multiset<std::string> guarded_;  ///< Ids.
};

}  // namespace coffer::core
