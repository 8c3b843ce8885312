#pragma once

#include <cstddef>
#include <optional>

#include "async/task.h"

namespace coffer::core {

/// WorkSource in pieces that may turn up more of it. Its calls come one at a time.
class WorkSource {
 public:
  virtual ~WorkSource() = default;

  /// The next piece, or nothing for now; pieces under way may still add some. It keeps its own
  /// failures.
  virtual std::optional<Task<void>> take() = 0;
};

/// Does `work` with up to `width` pieces at once, until there is none and none is under way. Needs
/// an executor that runs one thing at a time. Nothing reaches a piece that would end it from
/// outside, so they all come to their own end. Rethrows what a piece threw when all have ended;
/// no other is begun then.
Task<void> do_work(WorkSource& work, std::size_t width);

}  // namespace coffer::core
