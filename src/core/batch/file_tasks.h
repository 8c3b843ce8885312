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

/// Starts, lists and cancels the tasks of accounts. A key that is limited to a folder can access
/// only tasks whose paths are all in it, and sees the paths relative to it. Safe from any thread.
class FileTasks {
 public:
  static constexpr std::size_t kMostSources = 1000;  ///< Of one task.

  FileTasks(BatchWork::Services services, TaskRunner& task_runner, WorkPools& pools)
      : services_(services),
        namespace_(services.homes, services.mounts),
        task_runner_(task_runner),
        pools_(pools) {}

  /// Starts a task and returns its record. In a request to restore items, the sources are the ids
  /// of items in the bin. Fails if the request itself is invalid or forbidden. `rate_limited` if
  /// the account has too many tasks that have not ended.
  Task<Result<catalog::TaskRecord>> start(const Principal& principal, BatchRequest request);
  /// Returns the account's last tasks that the principal can access, the newest first.
  Task<Result<std::vector<catalog::TaskRecord>>> list(const Principal& principal);
  /// Returns a task; `not_found` if there is no such task or the principal cannot access it.
  Task<Result<catalog::TaskRecord>> find(const Principal& principal, TaskId id);
  /// Cancels a task that has not ended. Removes the record of a task that has ended.
  Task<Result<void>> end(const Principal& principal, TaskId id);

 private:
  /// Checks the request and returns the kind of load that it causes. Replaces ids of bin items in
  /// its sources by the original paths.
  Task<Result<TaskLoad>> check(const Principal& principal, BatchRequest& request);
  template <class Body>
  Task<Result<TaskId>> begin(catalog::NewTask task, TaskLoad load, std::shared_ptr<Body> work);
  Task<Result<void>> find_in_bin(const Principal& principal, BatchRequest& request);

  const BatchWork::Services services_;
  const Namespace namespace_;
  TaskRunner& task_runner_;
  WorkPools& pools_;
  AccountSlots unpack_slots_{6, 2};  ///< Each slot is for a process that may use much memory.
};

}  // namespace coffer::core
