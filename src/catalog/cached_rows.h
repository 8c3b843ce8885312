#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <unordered_map>
#include <utility>

#include "catalog/database.h"
#include "catalog/generation.h"

namespace coffer::catalog {

/// Rows that most requests need. On SQLite, where this process alone writes, they are kept in
/// memory until it changes something of their generation; on PostgreSQL, where others may write,
/// they are looked up each time. Safe from any thread.
template <class Key, class Value, class Hash = std::hash<Key>>
class CachedRows {
 public:
  using ValuePtr = std::shared_ptr<const Value>;
  /// Null means that there is no such row, which is not kept.
  using Select = ValuePtr (*)(soci::session& sql, const Key& key);

  /// Every change of what `select` finds bumps the generation.
  CachedRows(Database& database, Generation generation, Select select)
      : database_(database), generation_(generation), select_(select) {}

  /// The value, if it is kept; null otherwise. Does not wait.
  ValuePtr find_now(const Key& key) const {
    const std::shared_lock lock(mutex_);
    if (!database_.is_sqlite() || changes_ != database_.changes(generation_)) return nullptr;
    const auto found = values_.find(key);
    return found == values_.end() ? nullptr : found->second;
  }
  /// The value, from the catalog if need be. First in a job on the read lane.
  ValuePtr find(soci::session& sql, const Key& key) {
    auto kept = find_now(key);
    return kept ? kept : reload(sql, key);
  }
  /// The same, but always as the catalog has it now, with what is written without a generation.
  ValuePtr reload(soci::session& sql, const Key& key) {
    // Before the first statement, which takes the snapshot: the rows are never older than this.
    const std::uint64_t changes = database_.changes(generation_);
    auto value = select_(sql, key);
    if (value && database_.is_sqlite()) keep(changes, key, value);
    return value;
  }

 private:
  void keep(std::uint64_t changes, const Key& key, ValuePtr value) {
    const std::lock_guard lock(mutex_);
    if (changes < changes_) return;
    if (changes > changes_) values_.clear();
    changes_ = changes;
    values_[key] = std::move(value);
  }

  Database& database_;
  const Generation generation_;
  const Select select_;
  mutable std::shared_mutex mutex_;
  std::uint64_t changes_ = 0;  ///< As the database's count stood when the values were read.
  std::unordered_map<Key, ValuePtr, Hash> values_;
};

}  // namespace coffer::catalog
