#include "core/accounts/account_slots.h"

#include <utility>

namespace coffer::core {

/// Call it with the mutex locked.
bool AccountSlots::State::take(Waiter& waiter) {
  if (taken >= most) return false;
  std::size_t& of_account = taken_by[waiter.account_];
  if (of_account >= most_of_account) return false;
  ++taken;
  ++of_account;
  waiter.has_slot_ = true;
  return true;
}

void AccountSlots::State::leave(AccountId account) {
  const std::lock_guard lock(mutex);
  --taken;
  if (--taken_by[account] == 0) taken_by.erase(account);
  for (auto each = waiting.begin(); each != waiting.end();) {
    Waiter& waiter = **each;
    const auto next = std::next(each);
    if (take(waiter)) {
      waiting.erase(each);
      std::exchange(waiter.resume_, nullptr)();
    }
    each = next;
  }
}

Task<std::optional<AccountSlots::Slot>> AccountSlots::enter(Waiter& waiter) {
  co_await suspend([&](Resume resume) {
    const std::lock_guard lock(state_->mutex);
    waiter.has_slot_ = false;
    if (waiter.is_cancelled_ || state_->take(waiter)) return resume();
    waiter.resume_ = std::move(resume);
    state_->waiting.push_back(&waiter);
  });
  const std::lock_guard lock(state_->mutex);
  if (!waiter.has_slot_) co_return std::nullopt;
  co_return slot_of(waiter.account_);
}

std::optional<AccountSlots::Slot> AccountSlots::enter_now(AccountId account) {
  Waiter waiter(account);
  const std::lock_guard lock(state_->mutex);
  if (!state_->take(waiter)) return std::nullopt;
  return slot_of(account);
}

AccountSlots::Slot AccountSlots::slot_of(AccountId account) const {
  return Slot(nullptr, [state = state_, account](void*) { state->leave(account); });
}

void AccountSlots::cancel(Waiter& waiter) {
  const std::lock_guard lock(state_->mutex);
  waiter.is_cancelled_ = true;
  if (!waiter.resume_) return;
  state_->waiting.remove(&waiter);
  std::exchange(waiter.resume_, nullptr)();
}

Task<void> in_slot(AccountSlots::Slot /*slot*/, Task<void> work) {
  co_await std::move(work);
}

}  // namespace coffer::core
