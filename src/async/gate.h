#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>

#include "async/suspend.h"
#include "async/task.h"

namespace coffer {

/// Limits how many callers do some work at the same time: a caller needs a pass for the work.
/// Waiting for a pass does not occupy a thread. Safe from any thread.
class Gate {
 public:
  /// At most `places` passes exist at once.
  explicit Gate(std::size_t places) : free_(places) {}

  /// One pass. Its destructor gives it back to the gate, which the pass must not outlive.
  class Pass {
   public:
    explicit Pass(Gate& gate) : gate_(&gate) {}

   private:
    struct Leave {
      void operator()(Gate* gate) const { gate->leave(); }
    };
    std::unique_ptr<Gate, Leave> gate_;
  };
  /// Waits for a pass and returns it. The caller that has waited longest gets the next free pass.
  /// The functions that are passed to `enter_then` wait in the same queue.
  Task<Pass> enter();
  /// Calls `entered` with a pass. If no pass is free, calls it later, on the thread that gives a
  /// pass back.
  void enter_then(std::move_only_function<void(Pass)> entered);

 private:
  bool take_place(Resume& waiting);
  void leave();

  std::mutex mutex_;
  std::size_t free_;
  std::deque<Resume> waiting_;
};

}  // namespace coffer
