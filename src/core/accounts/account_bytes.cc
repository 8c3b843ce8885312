#include "core/accounts/account_bytes.h"

namespace coffer::core {

bool AccountBytes::add(AccountId account, std::uint64_t bytes, std::uint64_t most) {
  if (bytes == 0) return true;
  const std::lock_guard lock(mutex_);
  const auto known = sums_.find(account);
  const std::uint64_t sum = known == sums_.end() ? 0 : known->second;
  if (bytes > most || sum > most - bytes) return false;
  sums_[account] = sum + bytes;
  return true;
}

void AccountBytes::take_off(AccountId account, std::uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  const auto known = sums_.find(account);
  if (known == sums_.end()) return;
  known->second -= bytes;
  if (known->second == 0) sums_.erase(known);
}

std::uint64_t AccountBytes::of(AccountId account) const {
  const std::lock_guard lock(mutex_);
  const auto known = sums_.find(account);
  return known == sums_.end() ? 0 : known->second;
}

}  // namespace coffer::core
