#pragma once

#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "async/suspend.h"
#include "async/task.h"

namespace coffer::remote {

/// Exclusive holds on the names of one server. Few servers can take a name only if it is free, so a
/// caller holds the name from the check that it is free until the change that takes it. Two holds
/// conflict if a path of one equals a path of the other, or lies above or below it. Case does not
/// distinguish names. All names of a folder that have characters outside ASCII count as one. Safe
/// from any thread.
class NameHolds {
 private:
  struct Claim {
    std::vector<std::string> keys;
    bool is_held = false;
    Resume resume = {};
  };
  using Claims = std::list<Claim>;

 public:
  /// Releases its names when it is destroyed, which must be before the NameHolds.
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

  /// Returns a hold on the names at `places`. First waits, without occupying a thread, until no
  /// earlier caller holds or waits for a conflicting name.
  Task<Hold> enter(std::vector<std::string> places);

 private:
  bool is_free(const Claim& claim) const;
  void leave(Claims::iterator claim);

  std::mutex mutex_;
  Claims claims_;  ///< In the order of arrival.
};

}  // namespace coffer::remote
