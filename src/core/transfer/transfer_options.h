#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "async/task.h"
#include "base/error.h"
#include "base/path.h"

namespace coffer::core {

struct TransferOptions {
  std::uint64_t limit_bytes = UINT64_MAX;  ///< `over_quota` as soon as more would be stored.
  std::size_t files_in_flight = 8;         ///< 1 to 12, 3 of them large; each takes 1 MiB at most.
  /// Asked before each file and folder, and before the item shows, whether it may go on. Its
  /// failure ends the transfer. May be empty.
  std::function<Task<Result<void>>()> recheck = {};
  /// Called with where the item is collected, before anything is stored there, in a path of the
  /// destination's backend, so that it can be recorded and swept after a crash. Not called where
  /// the backend has a place out of sight. Its failure ends the transfer. May be empty.
  std::function<Task<Result<void>>(Path)> on_staging;
  /// Called by a move when the item shows at the destination, before the source is deleted. After a
  /// failure it is not deleted. May be empty.
  std::function<Task<Result<void>>()> on_shown;
  /// Called by a move when the source has got its other name, before it is looked at for the last
  /// time and deleted, which may take long; where names do not change in one step, just before it
  /// is deleted. After a failure it is not deleted. May be empty.
  std::function<Task<Result<void>>()> on_leaving;
};

}  // namespace coffer::core
