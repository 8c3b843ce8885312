#pragma once

#include <cstddef>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>

#include "async/suspend.h"
#include "async/task.h"
#include "base/id.h"

namespace coffer::core {

/// Limits how many pieces of expensive work run at once, in all and for each account. Others wait
/// without a thread, in the order of their arrival. Safe from any thread.
class AccountSlots {
 public:
  /// A place in the queue. The caller keeps it until `enter` has returned.
  class Waiter {
   public:
    explicit Waiter(AccountId account) : account_(account) {}

   private:
    friend class AccountSlots;
    const AccountId account_;
    Resume resume_;
    bool has_slot_ = false;
    bool is_cancelled_ = false;
  };

  /// A slot, which is released with the last copy of this.
  using Slot = std::shared_ptr<void>;

  AccountSlots(std::size_t most, std::size_t most_of_account)
      : state_(std::make_shared<State>(most, most_of_account)) {}

  /// Waits for a slot; nullopt if the waiter was cancelled before it got one.
  Task<std::optional<Slot>> enter(Waiter& waiter);
  /// Returns a slot if one is free now.
  std::optional<Slot> enter_now(AccountId account);
  /// Makes `enter` return soon, whether it waits now or is called later.
  void cancel(Waiter& waiter);

 private:
  struct State {
    State(std::size_t all, std::size_t of_account) : most(all), most_of_account(of_account) {}
    bool take(Waiter& waiter);
    void leave(AccountId account);

    const std::size_t most;
    const std::size_t most_of_account;
    std::mutex mutex;
    std::size_t taken = 0;
    std::map<AccountId, std::size_t> taken_by;
    std::list<Waiter*> waiting;
  };
  Slot slot_of(AccountId account) const;

  const std::shared_ptr<State> state_;  ///< Shared with the slots.
};

/// Runs the work and releases the slot when it ends.
Task<void> in_slot(AccountSlots::Slot slot, Task<void> work);

}  // namespace coffer::core
