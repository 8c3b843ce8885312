#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "async/task.h"
#include "base/error.h"
#include "core/accounts/account_slots.h"
#include "core/archive/unpack_stream.h"
#include "core/batch/batch_work.h"
#include "core/batch/unpack_target.h"
#include "core/namespace/access_recheck.h"
#include "core/namespace/principal.h"
#include "core/tasks/task_runner.h"
#include "core/tasks/work_pools.h"

namespace coffer::core {

/// The work of a task that unpacks archives into a folder, one after the other, item by item: each
/// shows whole or not at all. An item that is no file or folder, or has a name that nothing is made
/// under, is noted with the task and left out. An archive that cannot be read to its end is noted
/// too, and the others are unpacked, but the task has failed then; what was shown stays. Used once,
/// on the executor of the background.
class UnpackWork {
 public:
  UnpackWork(BatchWork::Services services, WorkPools& pools, AccountSlots& slots,
             Principal principal, BatchRequest request);

  Task<Result<void>> run(RunningTask& running);
  /// Why it may not go on, if a right to what it is at was lost. What it waits for it gives up
  /// then, as when it was cancelled.
  Task<std::optional<Error>> withdrawal();

 private:
  struct Archive;
  Task<Result<void>> check_names();
  Task<Result<void>> check_names_of(Archive& archive);
  Task<Result<void>> unpack(const Path& source);
  Task<Result<void>> unpack_items(Archive& archive);
  Task<Result<void>> put(Archive& archive, const PackedItem& item);
  Task<Result<void>> put_file(Archive& archive, const PackedItem& item, const Path& place);
  Task<Result<void>> pump(Archive& archive, Upload& upload);
  Task<Result<std::unique_ptr<Archive>>> open(const Path& source);
  /// How much an archive may unpack to.
  struct Bounds {
    std::uint64_t shown_bytes = 0;  ///< As files.
    std::uint64_t read_bytes = 0;   ///< On the way, where what is left out is read too.
  };
  Task<Result<Bounds>> bounds_of(std::uint64_t archive_bytes);
  Task<Result<void>> recheck();
  Result<void> go_on() const;

  /// What becomes of a failure: nothing if the task goes on.
  Result<void> pass_over(const Path& path, const Error& error);
  void skip(const Path& path, Error why);
  void note_damage(const Archive& archive, const Error& error);
  std::unexpected<Error> pass_bound(Error error);
  void stop_waiting();

  const BatchWork::Services services_;
  WorkPools& pools_;
  AccountSlots& slots_;
  const Principal principal_;
  const BatchRequest request_;
  UnpackTarget target_;
  RunningTask* running_ = nullptr;
  AccountSlots::Waiter waiter_;
  UnpackStream* stream_ = nullptr;  ///< The one under way.
  std::vector<MountUse> uses_;      ///< Of the archive under way, and the folder.
  std::optional<Error> damage_;     ///< The first archive, or item, that was not whole.
  std::optional<Error> first_failure_;
  bool has_done_any_ = false;
  bool has_passed_bound_ = false;
};

}  // namespace coffer::core
