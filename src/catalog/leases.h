#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <vector>

#include "base/id.h"
#include "catalog/wal_stamp.h"

namespace coffer::catalog {

/// What the ledger owes the database for one account.
struct Owed {
  AccountId account;
  long long reserved_delta = 0;
  long long used_delta = 0;
};

/// Bytes of quota that the database counts as reserved and that this process hands out and takes
/// back by itself, so that most writes need no transaction. A lease ends when it is collected, and
/// is not used once the database has changed under it: the limit may have. Safe from any thread.
class Leases {
 public:
  /// Hands `bytes` out; false if the account has no lease with as many, or not as of `now`.
  bool take(const WalStamp& now, AccountId account, std::uint64_t bytes);
  /// Takes `reserved_bytes` back, of which `used_delta` were used.
  void settle(AccountId account, std::uint64_t reserved_bytes, std::int64_t used_delta);

  /// Ends all leases and gives what is owed; `now` is the stamp of a transaction that holds the
  /// write lock, in which the caller writes it down.
  std::vector<Owed> collect(const WalStamp& now);
  /// True if there is nothing to collect.
  bool empty() const;
  /// What `collect` would give for the account, which ends nothing.
  Owed owed(AccountId account) const;
  /// Owes this besides, as when the transaction that wrote it failed.
  void restore(const std::vector<Owed>& owed);
  /// Begins a lease after the transaction that reserved it.
  void grant(AccountId account, std::uint64_t bytes);
  /// There was one commit between the stamps, and it changed no limit.
  void advance(const WalStamp& before, const WalStamp& after);

 private:
  struct Lease {
    bool granted = false;
    std::uint64_t free = 0;  ///< To be handed out, while granted.
    Owed owed;               ///< Without `free`.
  };
  Lease& at(AccountId account);
  static Owed owed_of(const Lease& lease);

  mutable std::mutex mutex_;
  WalStamp stamp_{};
  std::map<AccountId, Lease> leases_;
};

}  // namespace coffer::catalog
