#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "catalog/tasks.h"
#include "core/transfer/transfer_run.h"

namespace coffer::core {

/// How far a task of several steps is, each of which has a progress of its own. Not safe for
/// concurrent calls.
class TaskFigures {
 public:
  /// So many of the items that were left as they were have their names noted.
  static constexpr std::size_t kMostSkipped = 100;

  /// A step is over.
  void add(const TransferProgress& step);
  /// All steps together will have so much.
  void expect(std::uint64_t items, std::uint64_t bytes);
  /// An item is left as it is, and why.
  void skip(std::string path, Error why);

  /// The figures now, with those of the step under way.
  catalog::Progress read(const TransferProgress& step);
  /// For the last note: what was skipped is in it in any case.
  catalog::Progress read_last(const TransferProgress& step);

 private:
  using Clock = std::chrono::steady_clock;
  void measure_speed(std::uint64_t bytes_done);

  catalog::Progress ended_;  ///< Of the steps before.
  std::uint64_t expected_items_ = 0;
  std::uint64_t expected_bytes_ = 0;
  std::vector<catalog::SkippedItem> skipped_;
  bool has_new_skipped_ = false;
  double bytes_per_second_ = 0;
  std::uint64_t measured_bytes_ = 0;
  Clock::time_point measured_at_ = Clock::now();
};

}  // namespace coffer::core
