#pragma once

#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "async/suspend.h"
#include "async/task.h"

namespace coffer::remote {

/// Locks on paths of one server, for callers in this program. Most servers cannot create or rename
/// an item on condition that the new name is free. So a caller locks the name, checks that it is
/// free, and makes the change. Two locks conflict if a path of one equals a path of the other, or
/// is above or below it. Servers differ in which names are equal, so names count as equal if they
/// differ only in case, or if both have characters outside ASCII. Safe from any thread.
class NameHolds {
 private:
  struct Claim {
    std::vector<std::string> keys;
    bool is_held = false;
    Resume resume = {};
  };
  using Claims = std::list<Claim>;

 public:
  /// A lock on one or several paths. The destructor releases it. Must not outlive the NameHolds.
  class Hold {
   public:
    Hold(NameHolds& holds, Claims::iterator claim) : holds_(&holds, Leave{claim}) {}

   private:
    struct Leave {
      Claims::iterator claim;
      void operator()(NameHolds* holds) const { holds->leave(claim); }
    };
    std::unique_ptr<NameHolds, Leave> holds_;
  };

  /// Waits until no earlier caller holds, or waits for, a conflicting path. Then returns a hold on
  /// all paths in `places`.
  Task<Hold> enter(std::vector<std::string> places);

 private:
  bool is_free(const Claim& claim) const;
  void leave(Claims::iterator claim);

  std::mutex mutex_;
  Claims claims_;  ///< In the order of arrival.
};

}  // namespace coffer::remote
