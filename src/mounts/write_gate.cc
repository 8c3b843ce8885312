#include "mounts/write_gate.h"

#include <chrono>

namespace coffer::mounts {

std::unexpected<Error> files_are_moving() {
  constexpr std::chrono::seconds kRetryAfter{60};
  return std::unexpected(Error{
      ErrorCode::unready,
      "Your files are being moved to another place; try again in a few minutes.", kRetryAfter});
}

Result<WriteGate::Pass> WriteGate::enter(std::atomic<std::size_t>& count, State last_open) {
  // Counted before the look, so that whoever closes the gate sees it, or it sees the gate closed.
  ++count;
  Pass pass(static_cast<void*>(this),
            [gate = shared_from_this(), &count](void*) noexcept { --count; });
  if (state_ > last_open) return files_are_moving();
  return pass;
}

Result<WriteGate::Pass> WriteGate::begin_operation() {
  return enter(operations_, State::open);
}

Result<WriteGate::Pass> WriteGate::begin_step(WriteStep step) {
  return enter(steps_[std::to_underlying(step)], State::closing);
}

std::optional<WriteStep> WriteGate::step_under_way() const {
  for (const auto& [step, word] : words_of(WriteStep())) {
    if (steps_[std::to_underlying(step)] > 0) return step;
  }
  return std::nullopt;
}

}  // namespace coffer::mounts
