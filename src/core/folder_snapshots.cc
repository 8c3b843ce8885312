#include "core/folder_snapshots.h"

#include <algorithm>
#include <utility>

namespace coffer::core {
namespace {

/// A smaller folder is read as fast as it is looked up.
constexpr std::size_t kFewestEntries = 500;
/// About 40 MiB.
constexpr std::size_t kMostEntries = 300'000;
constexpr std::chrono::minutes kAge{1};

}  // namespace

void FolderSnapshots::drop_old() {
  const auto oldest = now_() - kAge;
  std::erase_if(kept_, [&](const Kept& kept) {
    if (kept.made_at > oldest) return false;
    entries_ -= kept.snapshot->size();
    return true;
  });
}

FolderSnapshots::Snapshot FolderSnapshots::find(const SnapshotKey& key,
                                                const storage::FolderStamp& stamp) {
  const std::lock_guard lock(mutex_);
  drop_old();
  const auto found = std::ranges::find(kept_, key, &Kept::key);
  if (found == kept_.end() || found->stamp != stamp) return nullptr;
  kept_.splice(kept_.begin(), kept_, found);
  return found->snapshot;
}

void FolderSnapshots::put(SnapshotKey key, const storage::FolderStamp& stamp, Snapshot snapshot) {
  const std::size_t size = snapshot->size();
  if (size < kFewestEntries || size > kMostEntries) return;
  const std::lock_guard lock(mutex_);
  drop_old();
  const auto old = std::ranges::find(kept_, key, &Kept::key);
  if (old != kept_.end()) {
    entries_ -= old->snapshot->size();
    kept_.erase(old);
  }
  kept_.push_front({std::move(key), stamp, now_(), std::move(snapshot)});
  for (entries_ += size; entries_ > kMostEntries; kept_.pop_back()) {
    entries_ -= kept_.back().snapshot->size();
  }
}

}  // namespace coffer::core
