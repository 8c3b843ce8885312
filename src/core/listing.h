#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "async/task.h"
#include "core/tasks/work_pools.h"
#include "storage/entry.h"

namespace coffer::core {

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
