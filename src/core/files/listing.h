#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "async/task.h"
#include "base/error.h"
#include "base/name_order.h"
#include "base/path.h"
#include "core/namespace/mounts.h"
#include "core/namespace/namespace.h"
#include "core/tasks/work_pools.h"
#include "storage/backend.h"
#include "storage/entry.h"

namespace coffer::core {

/// An item of a listing, as the principal sees it.
struct ListedItem {
  storage::Entry entry;
  Path folder;  ///< The parent folder, from the principal's root. The root is its own parent.
  bool read_only = false;
  std::optional<Mount> mount;  ///< Set if the item is the top folder of a mount.
};

/// Returns the listed item of an entry in `folder`. `place` is the resolved path of the item.
ListedItem item_of(storage::Entry entry, const Path& folder, const ResolvedPath& place);

/// Returns the listed item of a mount in the root. Does not contact the mount's server.
ListedItem item_of(Mount mount);

/// Returns the entry of an item. Avoids a thread switch if the entry can be read without blocking.
Task<Result<storage::Entry>> stat(const ResolvedPath& place);

/// Fails with `unavailable` if the place shows no item, as if its disk were not mounted: then what
/// is not found there may not be gone.
Task<Result<void>> check_mounted(storage::Backend& backend);

/// Sorts entries for a listing: first the folders, then the files, each in the order of their
/// names. Returns the number of folders.
std::size_t sort_for_listing(std::vector<storage::Entry>& entries, const NameOrder& names);

/// The most entries that `run_by_size` processes on the caller's thread.
inline constexpr std::size_t kFewEntries = 256;
/// The most entries that `run_by_size` processes in the pool for brief work.
inline constexpr std::size_t kManyEntries = 2'000;

/// Runs `work`, which processes `entries` entries. The number of entries decides on which thread
/// `work` runs, so that long work delays no other request.
template <class F>
Task<void> run_by_size(WorkPool& pool, std::size_t entries, F work) {
  if (entries <= kFewEntries) co_return work();
  Pool& chosen = entries <= kManyEntries ? pool.brief : pool.lengthy;
  co_await chosen.run(std::move(work));
}

}  // namespace coffer::core
