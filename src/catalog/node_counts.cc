#include "catalog/node_counts.h"

namespace coffer::catalog {

NodeCounts::Room NodeCounts::room_for(storage::NameTreeId tree, std::uint64_t names) {
  const std::lock_guard lock(mutex_);
  const Known& known = trees_[tree];
  const bool was_just_counted =
      known.at != Clock::time_point{} && known.added == 0 && now_() - known.at < kBetweenCounts;
  if (!was_just_counted && known.added + names > kUncounted) return Room::must_count;
  if (known.names + known.added + names <= most_) return Room::yes;
  return now_() - known.at < kBetweenCounts ? Room::no : Room::must_count;
}

void NodeCounts::counted(storage::NameTreeId tree, std::uint64_t names) {
  const std::lock_guard lock(mutex_);
  trees_[tree] = {.names = names, .added = 0, .at = now_()};
}

void NodeCounts::grew(storage::NameTreeId tree, std::uint64_t names) {
  const std::lock_guard lock(mutex_);
  trees_[tree].added += names;
}

}  // namespace coffer::catalog
