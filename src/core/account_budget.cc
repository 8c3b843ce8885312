#include "core/account_budget.h"

#include <algorithm>

namespace coffer::core {

AccountBudget::Share AccountBudget::take(AccountId account, std::uint64_t wanted) {
  const std::uint64_t amount = std::min(wanted, state_->most_of_account);
  {
    const std::lock_guard lock(state_->mutex);
    const auto held = state_->taken_by.find(account);
    const std::uint64_t own = held == state_->taken_by.end() ? 0 : held->second;
    const bool is_too_much =
        own + amount > state_->most_of_account || state_->taken + amount > state_->most;
    if (is_too_much) return nullptr;
    state_->taken += amount;
    state_->taken_by[account] += amount;
  }
  const auto give_back = [state = state_, account, amount](void*) {
    state->give_back(account, amount);
  };
  return {state_.get(), give_back};
}

void AccountBudget::State::give_back(AccountId account, std::uint64_t amount) {
  const std::lock_guard lock(mutex);
  taken -= amount;
  const auto held = taken_by.find(account);
  held->second -= amount;
  if (held->second == 0) taken_by.erase(held);
}

}  // namespace coffer::core
