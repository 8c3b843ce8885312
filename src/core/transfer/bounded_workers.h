#pragma once

#include <cstddef>
#include <optional>

#include "async/task.h"

namespace coffer::core {

/// A source of pieces of work, which may add further pieces. Its calls come one at a time.
class WorkSource {
 public:
  virtual ~WorkSource() = default;

  /// Returns the next piece, or nullopt if there is none now; pieces under way may still add some.
  /// A piece handles its own failures.
  virtual std::optional<Task<void>> take() = 0;
};

/// Runs up to `width` pieces of `work` at once until none is left and none is under way. Needs an
/// executor that runs one thing at a time. Cancellation of the awaiter does not reach the pieces.
/// If a piece throws, no further piece begins, and the exception is rethrown when all have ended.
Task<void> do_work(WorkSource& work, std::size_t width);

}  // namespace coffer::core
