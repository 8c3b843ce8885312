#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>

#include "async/suspend.h"
#include "async/task.h"

namespace coffer {

/// Limits how many callers hold a pass at once. Others wait without occupying a thread, so that a
/// server that does not answer blocks only a few threads of a pool. Safe from any thread.
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
  /// Waits for a pass: first come, first served.
  Task<Pass> enter();
  /// Calls `entered` with a pass: at once if one is free, otherwise later on the thread that
  /// releases one.
  void enter_then(std::move_only_function<void(Pass)> entered);

 private:
  bool take_place(Resume& waiting);
  void leave();

  std::mutex mutex_;
  std::size_t free_;
  std::deque<Resume> waiting_;
};

}  // namespace coffer
