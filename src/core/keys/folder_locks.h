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

/// Which changes of folders' names may be under way at the same time. A place is an account's own
/// files, a share or a connector: most changes share it with each other; what concerns keys has it
/// alone. Who wants it alone comes before those that come later. Safe from any thread.
class FolderLocks {
 public:
  enum class Mode : std::uint8_t { shared, alone };

  /// A lock, until it is destroyed, which must not be after the locks.
  class Hold {
   public:
    Hold(FolderLocks& locks, std::set<std::string> places, Mode mode)
        : state_(new State{locks, std::move(places), mode}) {}
    void release() { state_.reset(); }

   private:
    struct State {
      FolderLocks& locks;
      std::set<std::string> places;
      Mode mode;
    };
    struct Leave {
      void operator()(State* state) const;
    };
    std::unique_ptr<State, Leave> state_;
  };

  /// All the places at once. Who holds one must not ask for another.
  Task<Hold> take(std::set<std::string> places, Mode mode);

 private:
  struct Use {
    int shared = 0;
    int waiting = 0;  ///< Of those that want it alone.
    bool alone = false;
  };

  /// Takes them or keeps `waiting` to be called when something was left.
  bool try_take(const std::set<std::string>& places, Mode mode, bool waits, Resume& waiting);
  void leave(const std::set<std::string>& places, Mode mode);

  std::mutex mutex_;
  std::map<std::string, Use, std::less<>> uses_;
  std::vector<Resume> waiting_;
};

}  // namespace coffer::core
