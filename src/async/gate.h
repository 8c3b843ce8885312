#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>

#include "async/suspend.h"
#include "async/task.h"

namespace coffer {

/// Lets so many through at once; the others wait without a thread. So a server that does not answer
/// keeps a few threads of the pool busy, and never all. Safe from any thread.
class Gate {
 public:
  explicit Gate(std::size_t places) : free_(places) {}

  /// Being let through; over when it is destroyed, which must not be after the gate.
  class Pass {
   public:
    explicit Pass(Gate& gate) : gate_(&gate) {}

   private:
    struct Leave {
      void operator()(Gate* gate) const { gate->leave(); }
    };
    std::unique_ptr<Gate, Leave> gate_;
  };
  Task<Pass> enter();
  /// `entered(pass)` as soon as it is let through: at once, or on the thread that leaves.
  void enter_then(std::move_only_function<void(Pass)> entered);

 private:
  bool take_place(Resume& waiting);
  void leave();

  std::mutex mutex_;
  std::size_t free_;
  std::deque<Resume> waiting_;
};

}  // namespace coffer
