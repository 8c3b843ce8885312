#pragma once

#include <cstdint>
#include <map>
#include <mutex>

#include "base/id.h"

namespace coffer::core {

/// A sum of bytes for each account. Safe from any thread.
class AccountBytes {
 public:
  /// Adds bytes; false, and nothing changes, if the account's sum would exceed `most`.
  bool add(AccountId account, std::uint64_t bytes, std::uint64_t most);
  /// Takes off bytes that were added.
  void take_off(AccountId account, std::uint64_t bytes);
  std::uint64_t of(AccountId account) const;

 private:
  mutable std::mutex mutex_;
  std::map<AccountId, std::uint64_t> sums_;  ///< Has no zeros.
};

}  // namespace coffer::core
