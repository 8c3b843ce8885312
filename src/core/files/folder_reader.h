#pragma once

#include <cstddef>
#include <limits>
#include <vector>

#include "async/task.h"
#include "catalog/catalog.h"
#include "core/accounts/account_slots.h"
#include "core/files/folder_lister.h"
#include "core/files/listing.h"
#include "core/namespace/namespace.h"
#include "core/namespace/principal.h"
#include "core/tasks/background.h"
#include "core/tasks/work_pools.h"

namespace coffer::core {

/// The items of a folder. Their order is: folders, mounts, files. `entries` are the folders, then
/// the files.
struct Listing : storage::Listed {
  Path folder = {};
  bool read_only = false;
  std::size_t folders = 0;  ///< The number of folders in `entries`.
  std::vector<Mount> mounts = {};

  std::size_t size() const { return entries.size() + mounts.size(); }
  /// Returns an item. `index` counts in the order of the listing.
  ListedItem at(std::size_t index) const;
};

/// Reads folders for listings. Safe from any thread.
class FolderReader {
 public:
  FolderReader(catalog::Catalog& catalog, Background& background, WorkPools& pools,
               FolderLister& lister)
      : catalog_(catalog), background_(background), pools_(pools), lister_(lister) {}

  /// Returns the entries of a folder without its hidden items, as FolderLister::list, sorted by
  /// `names`. The caller must set `folder` and `mounts` of the listing. Also starts sweep_met in
  /// the background, unless a sweep is already running for the account. The sweep removes
  /// incomplete items that ended tasks and ended Coffer processes have left in the folder.
  Task<Result<Listing>> read(const Principal& principal, const ResolvedPath& place,
                             const NameOrder& names);

  /// The most incomplete items that one call of `read` passes to sweep_met.
  static constexpr std::size_t kMostSwept = 100;

 private:
  void sweep_in_background(AccountId account, std::vector<ResolvedPath> items);

  catalog::Catalog& catalog_;
  Background& background_;
  WorkPools& pools_;
  FolderLister& lister_;
  AccountSlots sweeps_{std::numeric_limits<std::size_t>::max(), 1};
};

}  // namespace coffer::core
