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

/// The path of an item of the bin, in its place.
Path bin_path_of(const catalog::BinItem& item);

/// Keeps what the catalog says of bins in step with what lies in them, and deletes for good what
/// has to go, of all accounts. Safe from any thread.
class BinKeeper final : public QuotaRelief {
 public:
  BinKeeper(catalog::Catalog& catalog, HomeDirectories& homes, Mounts& mounts)
      : catalog_(catalog), homes_(homes), mounts_(mounts) {}

  /// While it lives, `end_open` and `sweep` leave the item to its holder.
  class Hold {
   public:
    Hold(BinKeeper& keeper, BinItemId id);
    ~Hold();
    Hold(const Hold&) = delete;
    Hold& operator=(const Hold&) = delete;

   private:
    BinKeeper& keeper_;
    const BinItemId id_;
  };

  /// Deletes one for good. `not_found` if it is not kept, or leaves just now. When it fails with
  /// anything else, the item, or what is left of it, is in the bin as before.
  Task<Result<void>> discard(catalog::BinItem item);
  /// Notes whether one that is open is there, and how much of it.
  Task<Result<void>> settle(catalog::BinItem item);
  /// Ends what a crash, or a server that did not answer, left open of an account. The log tells of
  /// what stays so.
  Task<void> end_open(AccountId account);
  /// The same of all accounts; then deletes what is older than `before`, or of an account that was
  /// removed.
  Task<void> sweep(Timestamp before);

  Task<std::uint64_t> could_free(AccountId account) override;
  Task<bool> make_room(AccountId account, std::uint64_t bytes) override;

 private:
  struct OpenPlace {
    std::shared_ptr<storage::Backend> backend;
    bool has_quota = false;
  };
  Task<Result<OpenPlace>> place_of(const catalog::BinItem& item);
  Task<Result<void>> discard_claimed(const catalog::BinItem& item);
  Task<Result<void>> remove(const catalog::BinItem& item);
  Task<void> end_each(std::vector<catalog::BinItem> items);
  Task<void> end_one(catalog::BinItem item);
  /// By the caller alone.
  bool is_held_once(const BinItemId& id);

  catalog::Catalog& catalog_;
  HomeDirectories& homes_;
  Mounts& mounts_;
  std::mutex mutex_;
  std::multiset<std::string> held_;  ///< Ids.
};

}  // namespace coffer::core
