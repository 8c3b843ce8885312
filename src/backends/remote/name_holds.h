#pragma once

#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "async/suspend.h"
#include "async/task.h"

namespace coffer::remote {

/// Exclusive holds on names of one server, for the time between a look whether a name is free and
/// the change that takes it, which few servers do in one step. Two holds conflict if a place of one
/// equals a place of the other or lies above or below it. Case does not distinguish names, and all
/// names of a folder with letters outside ASCII count as one. Safe from any thread.
class NameHolds {
 private:
  struct Claim {
    std::vector<std::string> keys;
    bool is_held = false;
    Resume resume = {};
  };
  using Claims = std::list<Claim>;

 public:
  /// Ends with its destruction, before that of the NameHolds.
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

  /// Waits, without a thread, until no earlier caller holds or awaits a conflicting place.
  Task<Hold> enter(std::vector<std::string> places);

 private:
  bool is_free(const Claim& claim) const;
  void leave(Claims::iterator claim);

  std::mutex mutex_;
  Claims claims_;  ///< In the order in which they came.
};

}  // namespace coffer::remote
