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

/// How many do at once what takes much of the machine. The others wait without a thread, in the
/// order in which they came; no account has so many that another has none. Safe from any thread.
class AccountSlots {
 public:
  /// Who waits. Made by the caller, which keeps it until `enter` has returned.
  class Waiter {
   public:
    explicit Waiter(AccountId account) : account_(account) {}

   private:
    friend class AccountSlots;
    const AccountId account_;
    Resume resume_;
    bool has_slot_ = false;
    bool has_given_up_ = false;
  };

  /// One of them, which is free again when this goes.
  using Slot = std::shared_ptr<void>;

  AccountSlots(std::size_t most, std::size_t most_of_account)
      : state_(std::make_shared<State>(most, most_of_account)) {}

  /// A slot; nothing if the waiter gave up before it had one.
  Task<std::optional<Slot>> enter(Waiter& waiter);
  /// One that is free now, if any is.
  std::optional<Slot> enter_now(AccountId account);
  /// Lets `enter` return soon, if it waits or is still to be called.
  void give_up(Waiter& waiter);

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

  const std::shared_ptr<State> state_;  ///< Of the slots too, which may outlive this.
};

/// The work, which has the slot as long as it lasts.
Task<void> in_slot(AccountSlots::Slot slot, Task<void> work);

}  // namespace coffer::core
