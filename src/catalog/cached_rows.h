#pragma once

#include <functional>
#include <memory>

#include "catalog/database.h"
#include "catalog/generation.h"
#include "catalog/stamped_cache.h"

namespace coffer::catalog {

/// Rows that most requests need, in memory on SQLite as long as no process changed them; on
/// PostgreSQL they are looked up each time. Safe from any thread.
template <class Key, class Value, class Hash = std::hash<Key>>
class CachedRows {
 public:
  using Cache = StampedCache<Key, Value, Hash>;
  using ValuePtr = typename Cache::ValuePtr;
  /// Null means that there is nothing, which is not kept.
  using Select = ValuePtr (*)(soci::session& sql, const Key& key);

  /// Whatever changes what `select` found bumps the generation, and not on the ordered lane.
  CachedRows(Database& database, Generation generation, Select select)
      : database_(database), generation_(generation), select_(select) {
    // The ordered lane changes nothing that is kept here, so that its commits, one for every few
    // uploads, need not send each request to the catalog.
    database_.watch_ordered([cache = cache_](const WalStamp& before, const WalStamp& after) {
      cache->advance(before, after);
    });
  }

  /// The value, if it is at hand and nothing has changed since; null otherwise. Does not wait.
  ValuePtr find_now(const Key& key) const {
    return database_.is_sqlite() ? cache_->find(database_.stamp(), key) : nullptr;
  }
  /// The value, from the catalog if need be. In a job on the read lane.
  ValuePtr find(soci::session& sql, const Key& key) {
    return database_.is_sqlite() ? load(sql, key, MayBeKept::yes) : select_(sql, key);
  }
  /// The same, but always as the catalog has it now, with what is written without a generation.
  ValuePtr reload(soci::session& sql, const Key& key) {
    return database_.is_sqlite() ? load(sql, key, MayBeKept::no) : select_(sql, key);
  }

 private:
  enum class MayBeKept : bool { no, yes };
  // Looks the key up and teaches the cache what it saw.
  ValuePtr load(soci::session& sql, const Key& key, MayBeKept kept) {
    // Before the first statement, which takes the snapshot: the stamp is never newer than the rows.
    const WalStamp stamp = database_.stamp();
    const std::int64_t generation = current(sql, generation_);
    cache_->confirm(stamp, generation);
    if (kept == MayBeKept::yes) {
      if (auto value = cache_->find(generation, key)) return value;
    }
    auto value = select_(sql, key);
    if (value) cache_->put(generation, key, value);
    return value;
  }

  Database& database_;
  const Generation generation_;
  const Select select_;
  const std::shared_ptr<Cache> cache_ = std::make_shared<Cache>();
};

}  // namespace coffer::catalog
