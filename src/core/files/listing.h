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

/// An item as its principal sees it.
struct ListedItem {
  storage::Entry entry;
  Path folder;  ///< Where it is, from the principal's root; the root itself is in the root.
  bool read_only = false;
  std::optional<Mount> mount;  ///< If the item is the top of one.
};

ListedItem item_of(storage::Entry entry, const Path& folder, const ResolvedPath& place);

/// A mount in the root, as the catalog knows it: nothing here waits for a server.
ListedItem item_of(Mount mount);

/// The item at the place, at once where that is possible.
Task<Result<storage::Entry>> stat(const ResolvedPath& place);

/// Puts entries into the order of a listing: folders first, each kind by name in natural order.
/// Returns how many are folders.
std::size_t sort_for_listing(std::vector<storage::Entry>& entries);

/// Up to so many entries are worked on where they are.
inline constexpr std::size_t kFewEntries = 256;
/// Beyond so many it is long work.
inline constexpr std::size_t kManyEntries = 2'000;

/// Runs `work`, which goes through so many entries, where it keeps no other request waiting.
template <class F>
Task<void> run_by_size(WorkPool& pool, std::size_t entries, F work) {
  if (entries <= kFewEntries) co_return work();
  Pool& chosen = entries <= kManyEntries ? pool.brief : pool.lengthy;
  co_await chosen.run(std::move(work));
}

}  // namespace coffer::core
