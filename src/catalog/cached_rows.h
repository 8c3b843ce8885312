#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <unordered_map>
#include <utility>

#include "catalog/database.h"
#include "catalog/generation.h"

namespace coffer::catalog {

/// A cache of rows that most requests need. A cached value is valid until the cache's generation is
/// bumped (see generation.h). On SQLite only this process does that; on PostgreSQL others may, so a
/// value is used while the generation is known (see GenerationWatch). Safe from any thread.
template <class Key, class Value, class Hash = std::hash<Key>>
class CachedRows {
 public:
  using ValuePtr = std::shared_ptr<const Value>;
  /// Reads a value from the database. Returns null, which is not cached, if there is no such row.
  using Select = ValuePtr (*)(sql::Connection& sql, const Key& key);

  /// Every change of the rows that `select` reads must bump the generation (see `bump`).
  CachedRows(Database& database, Generation generation, Select select)
      : database_(database), generation_(generation), select_(select) {}

  /// Returns the cached value; null if no valid one is cached. Does not wait for the database.
  ValuePtr find_now(const Key& key) const {
    const auto stamp = database_.stamp(generation_);
    const std::shared_lock lock(mutex_);
    if (!stamp || stamp != stamp_) return nullptr;
    const auto found = values_.find(key);
    return found == values_.end() ? nullptr : found->second;
  }
  /// Returns the cached value, or reads and caches it. Must come first in a job on Lane::read.
  ValuePtr find(sql::Connection& sql, const Key& key) {
    auto kept = find_now(key);
    return kept ? kept : reload(sql, key);
  }
  /// Reads and caches the value even if one is cached. Must come first in a job on Lane::read.
  ValuePtr reload(sql::Connection& sql, const Key& key) {
    // Read before the rows: with a stamp newer than the rows, outdated rows would look valid.
    const auto stamp = database_.stamp(generation_);
    auto value = select_(sql, key);
    if (value && stamp) keep(*stamp, key, value);
    return value;
  }

 private:
  void keep(std::uint64_t stamp, const Key& key, ValuePtr value) {
    const std::lock_guard lock(mutex_);
    if (stamp_ && stamp < *stamp_) return;
    if (stamp_ != stamp) values_.clear();
    stamp_ = stamp;
    values_[key] = std::move(value);
  }

  Database& database_;
  const Generation generation_;
  const Select select_;
  mutable std::shared_mutex mutex_;
  std::optional<std::uint64_t> stamp_;  ///< Database::stamp before the cached values were read.
  std::unordered_map<Key, ValuePtr, Hash> values_;
};

}  // namespace coffer::catalog
