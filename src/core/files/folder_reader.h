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
  std::size_t folders = 0;  ///< How many entries in front are folders.
  std::vector<Mount> mounts;

  std::size_t size() const { return entries.size() + mounts.size(); }
  /// The item at that place, which can be taken once.
  ListedItem take(std::size_t index);
};

/// Reads folders for listings. Safe from any thread.
class FolderReader {
 public:
  FolderReader(catalog::Catalog& catalog, Background& background, WorkPools& pools)
      : catalog_(catalog), background_(background), pools_(pools) {}

  /// What shows in the place itself, without mounts and without telling where the folder is. What
  /// is incomplete is left out, and swept behind where no task works on it any more: some of it,
  /// one folder of an account at a time, as listings to come find the rest. Nothing that takes long
  /// happens on the caller's thread.
  Task<Result<Listing>> read(const Principal& principal, const Namespace& ns,
                             const ResolvedPath& place);

  /// How much a listing has swept.
  static constexpr std::size_t kMostSwept = 100;

 private:
  void sweep_behind(AccountId account, const Namespace& ns, std::vector<ResolvedPath> items);

  catalog::Catalog& catalog_;
  Background& background_;
  WorkPools& pools_;
  AccountSlots sweeps_{std::numeric_limits<std::size_t>::max(), 1};
};

}  // namespace coffer::core
