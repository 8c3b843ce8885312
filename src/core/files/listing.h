#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "async/task.h"
#include "base/path.h"
#include "core/namespace/mounts.h"
#include "core/namespace/namespace.h"
#include "core/tasks/work_pools.h"
#include "storage/entry.h"

namespace coffer::core {

/// An item of a listing, as the principal sees it.
struct ListedItem {
  storage::Entry entry;
  Path folder;  ///< Its folder, from the principal's root; the root's folder is the root.
  bool read_only = false;
  std::optional<Mount> mount;  ///< The mount that the item is the top of.
};

ListedItem item_of(storage::Entry entry, const Path& folder, const ResolvedPath& place);

/// A mount in the root, by the catalog's data alone, without waiting for its server.
ListedItem item_of(Mount mount);

/// Reads the entry of an item, without a thread switch if possible.
Task<Result<storage::Entry>> stat(const ResolvedPath& place);

/// Sorts entries for a listing: folders first, each kind in natural order of the names. Returns the
/// number of folders.
std::size_t sort_for_listing(std::vector<storage::Entry>& entries);

/// Up to so many entries are processed on the caller's thread.
inline constexpr std::size_t kFewEntries = 256;
/// More entries than this are long work.
inline constexpr std::size_t kManyEntries = 2'000;

/// Runs `work`, which processes so many entries, on a thread where it delays no other request.
template <class F>
Task<void> run_by_size(WorkPool& pool, std::size_t entries, F work) {
  if (entries <= kFewEntries) co_return work();
  Pool& chosen = entries <= kManyEntries ? pool.brief : pool.lengthy;
  co_await chosen.run(std::move(work));
}

}  // namespace coffer::core
