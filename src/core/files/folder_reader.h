#pragma once

#include <cstddef>
#include <limits>
#include <vector>

#include "async/task.h"
#include "catalog/catalog.h"
#include "core/accounts/account_slots.h"
#include "core/files/listing.h"
#include "core/namespace/namespace.h"
#include "core/namespace/principal.h"
#include "core/tasks/background.h"
#include "core/tasks/work_pools.h"

namespace coffer::core {

/// The items of a folder in the order of a listing: folders, mounts, files.
struct Listing {
  Path folder;
  bool read_only = false;
  std::vector<storage::Entry> entries;
  std::size_t folders = 0;  ///< The number of folders, which come first.
  std::vector<Mount> mounts;

  std::size_t size() const { return entries.size() + mounts.size(); }
  /// Moves the item at that index out of the listing.
  ListedItem take(std::size_t index);
};

/// Reads folders for listings. Safe from any thread.
class FolderReader {
 public:
  FolderReader(catalog::Catalog& catalog, Background& background, WorkPools& pools)
      : catalog_(catalog), background_(background), pools_(pools) {}

  /// Reads the entries of a folder, without mounts and without `folder`. Leaves incomplete items
  /// out, and sweeps some of those that no task works on any more in the background, one folder of
  /// an account at a time. Long work runs on other threads than the caller's.
  Task<Result<Listing>> read(const Principal& principal, const ResolvedPath& place);

  /// The most items that one listing sweeps.
  static constexpr std::size_t kMostSwept = 100;

 private:
  void sweep_behind(AccountId account, std::vector<ResolvedPath> items);

  catalog::Catalog& catalog_;
  Background& background_;
  WorkPools& pools_;
  AccountSlots sweeps_{std::numeric_limits<std::size_t>::max(), 1};
};

}  // namespace coffer::core
