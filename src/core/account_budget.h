#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>

#include "base/id.h"

namespace coffer::core {

/// Bounds how much of something, such as memory, is held at once by all and by each account. It is
/// given or not, without a wait as for AccountSlots: a client may hold it for long. Safe from any
/// thread.
class AccountBudget {
 public:
  /// What is held until this goes, which may outlive the budget.
  using Share = std::shared_ptr<void>;

  AccountBudget(std::uint64_t most, std::uint64_t most_of_account)
      : state_(std::make_shared<State>(most, most_of_account)) {}

  /// Null where that would be too much. What is larger than an account's bound, which could not be
  /// had at all otherwise, counts as that: no account keeps all from the others by one large
  /// amount.
  Share take(AccountId account, std::uint64_t wanted);

 private:
  struct State {
    State(std::uint64_t all, std::uint64_t of_account) : most(all), most_of_account(of_account) {}
    void give_back(AccountId account, std::uint64_t amount);

    const std::uint64_t most;
    const std::uint64_t most_of_account;
    std::mutex mutex;
    std::uint64_t taken = 0;
    std::map<AccountId, std::uint64_t> taken_by;
  };
  const std::shared_ptr<State> state_;
};

}  // namespace coffer::core
