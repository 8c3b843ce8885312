#pragma once

#include <cstddef>
#include <optional>

#include "async/task.h"

namespace coffer::core {

/// A source of pieces of work. A running piece may add further pieces to the source. `take` is
/// never called concurrently.
class WorkSource {
 public:
  virtual ~WorkSource() = default;

  /// Returns the next piece of work; nullopt if there is none now. Called again when a running
  /// piece has ended, because it may have added others. A piece must handle its failures itself.
  virtual std::optional<Task<void>> take() = 0;
};

/// Runs the pieces of `work`, up to `width` at once. Returns when all pieces have ended and `take`
/// returns no more. The caller's executor must run one handler at a time, as a strand does.
/// Cancelling the caller does not cancel the pieces. If a piece throws, no further piece begins,
/// and the exception is rethrown when the running pieces have ended.
Task<void> do_work(WorkSource& work, std::size_t width);

}  // namespace coffer::core
