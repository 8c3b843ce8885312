#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "async/suspend.h"
#include "async/task.h"

namespace coffer::core {

/// Locks on the places in which folders change their names: an account's own files, a share or a
/// connector. Most changes lock their places shared; those that concern keys lock them exclusively.
/// Exclusive waiters are served before later shared requests. Safe from any thread.
class FolderLocks {
  class Table;

 public:
  enum class Mode : std::uint8_t { shared, exclusive };

  /// Locked places, until this is released or destroyed.
  class Lock {
   public:
    void release() { state_.reset(); }

   private:
    friend FolderLocks;
    struct State {
      std::shared_ptr<Table> table;
      std::set<std::string> places;
      Mode mode;
    };
    struct Unlock {
      void operator()(State* state) const;
    };
    explicit Lock(State state) : state_(new State(std::move(state))) {}
    std::unique_ptr<State, Unlock> state_;
  };

  /// Waits for all the places at once. The holder of a lock must not wait for another.
  Task<Lock> acquire(std::set<std::string> places, Mode mode);

 private:
  /// The locked places; shared with the locks.
  class Table {
   public:
    /// Locks the places, or keeps `resume` to be called when something was unlocked. `waits` is
    /// true from the second try on.
    bool try_lock(const std::set<std::string>& places, Mode mode, bool waits, Resume& resume);
    void unlock(const std::set<std::string>& places, Mode mode);

   private:
    struct Use {
      int shared = 0;
      int exclusive_waiters = 0;
      bool exclusive = false;
    };
    std::mutex mutex_;
    std::map<std::string, Use, std::less<>> uses_;
    std::vector<Resume> waiting_;
  };

  const std::shared_ptr<Table> table_ = std::make_shared<Table>();
};

}  // namespace coffer::core
