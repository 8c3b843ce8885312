#include "core/tasks/work_pools.h"

#include <algorithm>
#include <thread>

namespace coffer::core {
namespace {

std::size_t at_least_one(std::size_t count) {
  return std::max<std::size_t>(count, 1);
}

}  // namespace

WorkPools::WorkPools(std::size_t threads)
    : most_brief_(at_least_one(threads / 2)),
      lengthy_threads_(std::max<std::size_t>(threads / 5, 2)),
      packing_threads_(at_least_one(std::thread::hardware_concurrency())),
      brief_(threads),
      lengthy_(lengthy_threads_, SharedThreads::Priority::low),
      packing_(packing_threads_, SharedThreads::Priority::low) {}

WorkPool& WorkPools::of(AccountId account) {
  return find("account " + std::to_string(account.value), at_least_one(lengthy_threads_ / 3));
}

Pool& WorkPools::common() {
  return find("common", 1).brief;
}

// Several accounts may work in there.
WorkPool& WorkPools::of(const ShareId& share) {
  return find("share " + share.value, at_least_one(lengthy_threads_ * 2 / 3));
}

WorkPool& WorkPools::find(const std::string& owner, std::size_t most_lengthy) {
  const std::lock_guard lock(mutex_);
  auto& pool = pools_[owner];
  if (!pool) {
    pool = std::make_unique<WorkPool>(WorkPool::Share{brief_, most_brief_},
                                      WorkPool::Share{lengthy_, most_lengthy},
                                      WorkPool::Share{packing_, packing_threads_});
  }
  return *pool;
}

}  // namespace coffer::core
