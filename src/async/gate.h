#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>

#include "async/suspend.h"
#include "async/task.h"

namespace coffer {

/// Limits how many callers hold a pass at once. Further callers wait for a pass without occupying a
/// thread. Safe from any thread.
class Gate {
 public:
  /// At most `places` passes exist at once.
  explicit Gate(std::size_t places) : free_(places) {}

  /// A pass, which is released when it is destroyed. It must not outlive the gate.
  class Pass {
   public:
    explicit Pass(Gate& gate) : gate_(&gate) {}

   private:
    struct Leave {
      void operator()(Gate* gate) const { gate->leave(); }
    };
    std::unique_ptr<Gate, Leave> gate_;
  };
  /// Waits for a pass and returns it. Passes go to the waiting callers in the order in which they
  /// came.
  Task<Pass> enter();
  /// Calls `entered` with a pass. If no pass is free, the thread that releases one calls `entered`
  /// later.
  void enter_then(std::move_only_function<void(Pass)> entered);

 private:
  bool take_place(Resume& waiting);
  void leave();

  std::mutex mutex_;
  std::size_t free_;
  std::deque<Resume> waiting_;
};

}  // namespace coffer
