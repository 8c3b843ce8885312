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
 public:
  enum class Mode : std::uint8_t { shared, exclusive };

  /// Locked places, until this is released or destroyed. FolderLocks outlives it.
  class Lock {
   public:
    Lock(FolderLocks& locks, std::set<std::string> places, Mode mode)
        : state_(new State{locks, std::move(places), mode}) {}
    void release() { state_.reset(); }

   private:
    struct State {
      FolderLocks& locks;
      std::set<std::string> places;
      Mode mode;
    };
    struct Unlock {
      void operator()(State* state) const;
    };
    std::unique_ptr<State, Unlock> state_;
  };

  /// Waits for all the places at once. The holder of a lock must not wait for another.
  Task<Lock> acquire(std::set<std::string> places, Mode mode);

 private:
  struct Use {
    int shared = 0;
    int exclusive_waiters = 0;
    bool exclusive = false;
  };

  /// Locks the places, or keeps `resume` to be called when something was unlocked. `waits` is true
  /// from the second try on.
  bool try_lock(const std::set<std::string>& places, Mode mode, bool waits, Resume& resume);
  void unlock(const std::set<std::string>& places, Mode mode);

  std::mutex mutex_;
  std::map<std::string, Use, std::less<>> uses_;
  std::vector<Resume> waiting_;
};

}  // namespace coffer::core
