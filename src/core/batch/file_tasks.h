#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "async/task.h"
#include "base/error.h"
#include "core/accounts/account_slots.h"
#include "core/batch/batch_work.h"
#include "core/tasks/task_runner.h"
#include "core/tasks/work_pools.h"

namespace coffer::core {

/// Tasks of accounts: starts, lists and cancels them. A key that is limited to a folder reaches the
/// tasks within it, and sees their paths from there. Safe from any thread.
class FileTasks {
 public:
  static constexpr std::size_t kMostSources = 1000;

  FileTasks(BatchWork::Services services, TaskRunner& task_runner, WorkPools& pools)
      : services_(services),
        namespace_(services.homes, services.mounts),
        task_runner_(task_runner),
        pools_(pools) {}

  /// Starts a task unless the request itself is invalid or forbidden. For restoring, the sources
  /// are ids of items in the bin. `rate_limited` if the account has too many tasks under way.
  Task<Result<catalog::TaskRecord>> start(const Principal& principal, BatchRequest request);
  /// Returns the last tasks, the newest first.
  Task<Result<std::vector<catalog::TaskRecord>>> list(const Principal& principal);
  /// `not_found` for an id that the principal may not know of.
  Task<Result<catalog::TaskRecord>> find(const Principal& principal, TaskId id);
  /// Cancels a task that has not ended, or removes one that has.
  Task<Result<void>> end(const Principal& principal, TaskId id);

 private:
  /// Checks the request and returns the kind of load that it causes.
  Task<Result<TaskLoad>> check(const Principal& principal, BatchRequest& request);
  template <class Body>
  Task<Result<TaskId>> begin(catalog::NewTask task, TaskLoad load, std::shared_ptr<Body> work);
  Task<Result<void>> find_in_bin(const Principal& principal, BatchRequest& request);

  const BatchWork::Services services_;
  const Namespace namespace_;
  TaskRunner& task_runner_;
  WorkPools& pools_;
  AccountSlots unpack_slots_{6, 2};  ///< Each starts a process, which may take much memory.
};

}  // namespace coffer::core
