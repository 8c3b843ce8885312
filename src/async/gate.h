#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>

#include "async/suspend.h"
#include "async/task.h"

namespace coffer {

/// Limits how many pass at once; the others wait without a thread, so that a server that does not
/// answer occupies only a few threads of a pool. Safe from any thread.
class Gate {
 public:
  explicit Gate(std::size_t places) : free_(places) {}

  /// One of the places, free again when this is destroyed. It must not outlive the gate.
  class Pass {
   public:
    explicit Pass(Gate& gate) : gate_(&gate) {}

   private:
    struct Leave {
      void operator()(Gate* gate) const { gate->leave(); }
    };
    std::unique_ptr<Gate, Leave> gate_;
  };
  /// Waits for a place, first come, first served.
  Task<Pass> enter();
  /// Calls `entered` when there is a place: at once, or later on the thread that frees one.
  void enter_then(std::move_only_function<void(Pass)> entered);

 private:
  bool take_place(Resume& waiting);
  void leave();

  std::mutex mutex_;
  std::size_t free_;
  std::deque<Resume> waiting_;
};

}  // namespace coffer
