#include "catalog/leases.h"

#include <algorithm>

namespace coffer::catalog {

Leases::Lease& Leases::at(AccountId account) {
  Lease& lease = leases_[account];
  lease.owed.account = account;
  return lease;
}

bool Leases::take(const WalStamp& now, AccountId account, std::uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  if (now != stamp_) return false;
  const auto found = leases_.find(account);
  if (found == leases_.end() || !found->second.granted || found->second.free < bytes) return false;
  found->second.free -= bytes;
  return true;
}

void Leases::settle(AccountId account, std::uint64_t reserved_bytes, std::int64_t used_delta) {
  const std::lock_guard lock(mutex_);
  Lease& lease = at(account);
  const auto used = static_cast<std::uint64_t>(std::max<std::int64_t>(used_delta, 0));
  // What is used stays reserved in the database until the use is written there.
  lease.owed.used_delta += used_delta;
  lease.owed.reserved_delta -= static_cast<long long>(used);
  const std::uint64_t unused = reserved_bytes - used;
  if (lease.granted) {
    lease.free += unused;
  } else {
    lease.owed.reserved_delta -= static_cast<long long>(unused);
  }
}

Owed Leases::owed_of(const Lease& lease) {
  Owed owed = lease.owed;
  owed.reserved_delta -= static_cast<long long>(lease.free);
  return owed;
}

Owed Leases::owed(AccountId account) const {
  const std::lock_guard lock(mutex_);
  const auto found = leases_.find(account);
  return found == leases_.end() ? Owed{account} : owed_of(found->second);
}

std::vector<Owed> Leases::collect(const WalStamp& now) {
  const std::lock_guard lock(mutex_);
  std::vector<Owed> all;
  for (const auto& [account, lease] : leases_) {
    const Owed owed = owed_of(lease);
    if (owed.reserved_delta != 0 || owed.used_delta != 0) all.push_back(owed);
  }
  leases_.clear();
  stamp_ = now;
  return all;
}

bool Leases::empty() const {
  const std::lock_guard lock(mutex_);
  return leases_.empty();
}

void Leases::restore(const std::vector<Owed>& owed) {
  const std::lock_guard lock(mutex_);
  for (const Owed& one : owed) {
    Lease& lease = at(one.account);
    lease.owed.reserved_delta += one.reserved_delta;
    lease.owed.used_delta += one.used_delta;
  }
}

void Leases::grant(AccountId account, std::uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  Lease& lease = at(account);
  lease.granted = true;
  lease.free += bytes;
}

void Leases::advance(const WalStamp& before, const WalStamp& after) {
  const std::lock_guard lock(mutex_);
  if (stamp_ == before) stamp_ = after;
}

}  // namespace coffer::catalog
