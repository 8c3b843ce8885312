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

/// Limits how many expensive operations run at once, in total and for each account. Further
/// operations wait, without blocking a thread. A free slot goes to the account that has fewest, and
/// of these to the one whose last turn was longest ago; within an account in the order of arrival.
/// Safe from any thread.
class AccountSlots {
 public:
  /// A request for a slot. It must exist until `enter` has returned.
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

  /// A slot. It is released when the last copy of this pointer is destroyed.
  using Slot = std::shared_ptr<void>;

  /// Allows `most` slots in total, and `most_of_account` for each account.
  AccountSlots(std::size_t most, std::size_t most_of_account)
      : state_(std::make_shared<State>(most, most_of_account)) {}

  /// Waits for a slot and returns it; nullopt if the waiter is cancelled before it gets a slot.
  Task<std::optional<Slot>> enter(Waiter& waiter);
  /// Returns a slot, or nullopt if none is free for the account now.
  std::optional<Slot> enter_now(AccountId account);
  /// Cancels a waiter: a waiting `enter` returns nullopt soon, and so does every later `enter`.
  void cancel(Waiter& waiter);

 private:
  struct State {
    State(std::size_t all, std::size_t of_account) : most(all), most_of_account(of_account) {}
    using Waiting = std::list<Waiter*>;
    struct Account {
      std::size_t taken = 0;
      std::size_t waiting = 0;
      std::uint64_t turn = 0;  ///< Of the last slot that it got; 0 before the first.
    };
    bool take(Waiter& waiter);
    void leave(AccountId account);
    Waiting::iterator next();
    void stop_waiting(Waiting::iterator waiter);
    void forget_idle(AccountId account);

    const std::size_t most;
    const std::size_t most_of_account;
    std::mutex mutex;
    std::size_t taken = 0;
    std::uint64_t turns = 0;
    std::map<AccountId, Account> accounts;  ///< Those that have slots or wait.
    Waiting waiting;
  };
  Slot slot_of(AccountId account) const;

  const std::shared_ptr<State> state_;  ///< Shared with the slots, which may outlive this object.
};

/// Runs `work`, and releases the slot when `work` has ended.
Task<void> in_slot(AccountSlots::Slot slot, Task<void> work);

}  // namespace coffer::core
