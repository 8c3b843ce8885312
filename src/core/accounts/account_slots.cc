#include "core/accounts/account_slots.h"

#include <algorithm>
#include <utility>

namespace coffer::core {

// Call these with the mutex locked, but for `leave`.

bool AccountSlots::State::take(Waiter& waiter) {
  const auto found = accounts.try_emplace(waiter.account_).first;
  Account& account = found->second;
  if (taken >= most || account.taken >= most_of_account) {
    forget_idle(waiter.account_);
    return false;
  }
  ++taken;
  ++account.taken;
  account.turn = ++turns;
  waiter.has_slot_ = true;
  return true;
}

/// Returns who gets the next free slot; the end if nobody may have one.
AccountSlots::State::Waiting::iterator AccountSlots::State::next() {
  auto best = waiting.end();
  const Account* of_best = nullptr;
  for (auto each = waiting.begin(); taken < most && each != waiting.end(); ++each) {
    const Account& account = accounts.at((*each)->account_);
    if (account.taken >= most_of_account) continue;
    const bool is_before = !of_best || std::pair(account.taken, account.turn) <
                                           std::pair(of_best->taken, of_best->turn);
    if (!is_before) continue;
    best = each;
    of_best = &account;
  }
  return best;
}

void AccountSlots::State::stop_waiting(Waiting::iterator waiter) {
  const AccountId account = (*waiter)->account_;
  waiting.erase(waiter);
  --accounts.at(account).waiting;
  forget_idle(account);
}

void AccountSlots::State::forget_idle(AccountId account) {
  const auto found = accounts.find(account);
  if (found->second.taken == 0 && found->second.waiting == 0) accounts.erase(found);
}

void AccountSlots::State::leave(AccountId account) {
  const std::lock_guard lock(mutex);
  --taken;
  --accounts.at(account).taken;
  for (auto each = next(); each != waiting.end(); each = next()) {
    Waiter& waiter = **each;
    take(waiter);
    stop_waiting(each);
    std::exchange(waiter.resume_, nullptr)();
  }
  if (accounts.contains(account)) forget_idle(account);
}

Task<std::optional<AccountSlots::Slot>> AccountSlots::enter(Waiter& waiter) {
  co_await suspend([&](Resume resume) {
    const std::lock_guard lock(state_->mutex);
    waiter.has_slot_ = false;
    if (waiter.is_cancelled_ || state_->take(waiter)) return resume();
    waiter.resume_ = std::move(resume);
    state_->waiting.push_back(&waiter);
    ++state_->accounts[waiter.account_].waiting;
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
  state_->stop_waiting(std::ranges::find(state_->waiting, &waiter));
  std::exchange(waiter.resume_, nullptr)();
}

Task<void> in_slot(AccountSlots::Slot /*slot*/, Task<void> work) {
  co_await std::move(work);
}

}  // namespace coffer::core
