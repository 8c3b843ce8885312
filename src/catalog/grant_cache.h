#pragma once

#include <cstdint>
#include <memory>
#include <shared_mutex>
#include <unordered_map>

#include "catalog/keys.h"
#include "catalog/wal_stamp.h"

namespace coffer::catalog {

/// Grants as they were at one generation of the authentication tables, and the newest stamp of the
/// database at which that generation is known to have been current. Since no stamp comes twice, a
/// stamp that still stands proves that no process committed anything since. Safe from any thread.
class GrantCache {
 public:
  using GrantPtr = std::shared_ptr<const Grant>;

  /// The grant, if `now` is the stamp that the cache was last confirmed at; null otherwise.
  GrantPtr find(const WalStamp& now, const KeyHash& hash) const;
  /// The grant as it was at `generation`; null if the cache holds another generation or no such
  /// key.
  GrantPtr find(std::int64_t generation, const KeyHash& hash) const;
  /// Notes what a snapshot of the database held. `stamp` was read before the snapshot was taken.
  /// Grants of an earlier generation go; one that comes too late is not taken in.
  void confirm(const WalStamp& stamp, std::int64_t generation);
  /// Notes that between the two stamps there was one commit, which changed nothing that a grant
  /// holds.
  void advance(const WalStamp& before, const WalStamp& after);
  void put(std::int64_t generation, const KeyHash& hash, GrantPtr grant);

 private:
  struct Hash {
    std::size_t operator()(const KeyHash& hash) const noexcept;
  };

  mutable std::shared_mutex mutex_;
  WalStamp stamp_{};
  std::int64_t generation_ = 0;
  std::unordered_map<KeyHash, GrantPtr, Hash> grants_;
};

}  // namespace coffer::catalog
