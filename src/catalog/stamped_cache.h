#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <unordered_map>
#include <utility>

#include "catalog/wal_stamp.h"

namespace coffer::catalog {

/// Values as they were at one generation of the tables that they come from, and the newest stamp of
/// the database at which that generation is known to have been current. Since no stamp comes twice,
/// a stamp that still stands proves that no process committed anything since. Safe from any thread.
template <class Key, class Value, class Hash = std::hash<Key>>
class StampedCache {
 public:
  using ValuePtr = std::shared_ptr<const Value>;

  /// The value, if `now` is the stamp that the cache was last confirmed at; null otherwise.
  ValuePtr find(const WalStamp& now, const Key& key) const {
    const std::shared_lock lock(mutex_);
    return now == stamp_ ? at(key) : nullptr;
  }
  /// The value as it was at `generation`; null if the cache holds another generation or no such
  /// key.
  ValuePtr find(std::int64_t generation, const Key& key) const {
    const std::shared_lock lock(mutex_);
    return generation == generation_ ? at(key) : nullptr;
  }
  /// Notes what a snapshot of the database held. `stamp` was read before the snapshot was taken.
  /// Values of an earlier generation go; one that comes too late is not taken in.
  void confirm(const WalStamp& stamp, std::int64_t generation) {
    const std::lock_guard lock(mutex_);
    if (generation < generation_) return;
    if (generation > generation_) values_.clear();
    generation_ = generation;
    stamp_ = stamp;
  }
  /// Notes that between the two stamps there was one commit, which changed nothing that a value
  /// holds.
  void advance(const WalStamp& before, const WalStamp& after) {
    const std::lock_guard lock(mutex_);
    if (stamp_ == before) stamp_ = after;
  }
  void put(std::int64_t generation, const Key& key, ValuePtr value) {
    const std::lock_guard lock(mutex_);
    if (generation == generation_) values_[key] = std::move(value);
  }

 private:
  ValuePtr at(const Key& key) const {
    const auto found = values_.find(key);
    return found == values_.end() ? nullptr : found->second;
  }

  mutable std::shared_mutex mutex_;
  WalStamp stamp_{};
  std::int64_t generation_ = 0;
  std::unordered_map<Key, ValuePtr, Hash> values_;
};

}  // namespace coffer::catalog
