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

/// Locks that order changes, that is the renames, moves and deletions of folders. The locks are on
/// places. A place is an account's own files, a share or a connector. Changes that concern keys
/// lock their places exclusively; other changes lock them shared. A caller that waits for an
/// exclusive lock is served before later requests for shared locks. Safe from any thread.
class FolderLocks {
  class Table;

 public:
  enum class Mode : std::uint8_t { shared, exclusive };

  /// A lock on one or more places, until it is released or destroyed.
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

  /// Waits until all `places` are free for this mode, and locks them together. The holder of a lock
  /// must not call this.
  Task<Lock> acquire(std::set<std::string> places, Mode mode);

 private:
  /// The locked places. The locks share the ownership of the table.
  class Table {
   public:
    /// Locks the places and returns true if they are free. Otherwise stores `resume` and returns
    /// false; the next unlock calls `resume`. `waits` is true from the caller's second try on.
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
