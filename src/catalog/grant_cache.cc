#include "catalog/grant_cache.h"

#include <cstring>
#include <mutex>

namespace coffer::catalog {

std::size_t GrantCache::Hash::operator()(const KeyHash& hash) const noexcept {
  // The key is a hash already: any bytes of it are as good as the whole.
  std::size_t value = 0;
  std::memcpy(&value, hash.data(), sizeof value);
  return value;
}

GrantCache::GrantPtr GrantCache::find(const WalStamp& now, const KeyHash& hash) const {
  const std::shared_lock lock(mutex_);
  if (now != stamp_) return nullptr;
  const auto found = grants_.find(hash);
  return found == grants_.end() ? nullptr : found->second;
}

GrantCache::GrantPtr GrantCache::find(std::int64_t generation, const KeyHash& hash) const {
  const std::shared_lock lock(mutex_);
  if (generation != generation_) return nullptr;
  const auto found = grants_.find(hash);
  return found == grants_.end() ? nullptr : found->second;
}

void GrantCache::confirm(const WalStamp& stamp, std::int64_t generation) {
  const std::lock_guard lock(mutex_);
  if (generation < generation_) return;
  if (generation > generation_) grants_.clear();
  generation_ = generation;
  stamp_ = stamp;
}

void GrantCache::advance(const WalStamp& before, const WalStamp& after) {
  const std::lock_guard lock(mutex_);
  if (stamp_ == before) stamp_ = after;
}

void GrantCache::put(std::int64_t generation, const KeyHash& hash, GrantPtr grant) {
  const std::lock_guard lock(mutex_);
  if (generation == generation_) grants_[hash] = std::move(grant);
}

}  // namespace coffer::catalog
