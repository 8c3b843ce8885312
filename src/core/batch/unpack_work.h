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

/// The work of a task that unpacks archives into a folder, one archive after the other. Each item
/// is published whole or not at all, and stays if the task fails later. `run` must be called only
/// once, on the executor of Background.
///
/// Some items are skipped and recorded in the task: those with an invalid name, those of a kind
/// that is not unpacked (see PackedItem::Kind), and damaged ones. If an archive cannot be read to
/// its end, the task records this and continues with the next archive. Such a task fails after its
/// last archive. An archive that exceeds a limit ends the task.
class UnpackWork {
 public:
  UnpackWork(BatchWork::Services services, WorkPools& pools, AccountSlots& slots,
             Principal principal, BatchRequest request);

  /// Unpacks all archives. Fails if an archive cannot be read to its end, the task ends early, or
  /// all items were skipped for another reason than that their names were taken.
  Task<Result<void>> run(RunningTask& running);
  /// Returns the reason to stop the task if a right to the current archive or to the target folder
  /// was lost; otherwise returns nullopt. Also makes `run` stop waiting if there is such a reason
  /// or the task was cancelled. The task's CancelReason calls it, on the executor of `run`.
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
  /// The most bytes that one archive may be unpacked to.
  struct Limits {
    std::uint64_t shown_bytes = 0;  ///< The limit for the files that are published.
    std::uint64_t read_bytes = 0;   ///< The limit for all items, including skipped ones.
  };
  Task<Result<Limits>> limits_of(std::uint64_t archive_bytes);
  Task<Result<void>> recheck();
  Result<void> check_cancelled() const;

  Result<void> skip_or_fail(const Path& path, const Error& error);
  void skip(const Path& path, Error why);
  void leave_out(const Archive& archive, const PackedItem& item, const std::string& reason);
  void note_damage(const Archive& archive, const Error& error);
  std::unexpected<Error> fail_at_limit(Error error);
  void stop_waiting();

  const BatchWork::Services services_;
  const Namespace namespace_;
  WorkPools& pools_;
  AccountSlots& slots_;
  const Principal principal_;
  const BatchRequest request_;
  UnpackTarget target_;
  RunningTask* running_ = nullptr;
  AccountSlots::Waiter waiter_;
  UnpackStream* stream_ = nullptr;  ///< The current archive's stream; null if there is none.
  std::vector<MountUse> uses_;      ///< The mounts of the current archive and the target folder.
  std::optional<Error> damage_;     ///< The error of the first damaged archive.
  std::optional<Error> first_failure_;
  bool has_done_any_ = false;
  bool is_over_limit_ = false;
};

}  // namespace coffer::core
