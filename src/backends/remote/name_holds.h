#pragma once

#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "async/suspend.h"
#include "async/task.h"
#include "backends/remote/server_path.h"

namespace coffer::remote {

/// Holds on names of one server, from looking whether a name is free to taking it: few have
/// such a step of their own. Two holds stand in each other's way where one has a place of the
/// other's, or one above or below it; letters' case does not tell places apart, and of one folder's
/// names with letters outside ASCII all count as one. Safe from any thread.
class NameHolds {
 private:
  struct Claim {
    std::vector<std::string> keys;
    bool is_held = false;
    Resume resume = {};
  };
  using Claims = std::list<Claim>;

 public:
  /// Ends with its destruction, which must not be after that of the NameHolds.
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

  /// Waits, without a thread, until no earlier caller holds any of the places or waits for one.
  Task<Hold> enter(std::vector<ServerPath> places);

 private:
  bool is_free(const Claim& claim) const;
  void leave(Claims::iterator claim);

  std::mutex mutex_;
  Claims claims_;  ///< In the order in which they came.
};

}  // namespace coffer::remote
