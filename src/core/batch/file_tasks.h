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

/// Starts, lists and cancels accounts' tasks. A task goes on when the person who began it signs
/// out, and ends when the session or key is ended in any other way. A key limited to a folder can
/// access only tasks whose paths are all in this folder. It gets these paths relative to the
/// folder. Safe from any thread.
class FileTasks {
 public:
  static constexpr std::size_t kMostSources = 1000;  ///< The most sources without a selection.

  FileTasks(BatchWork::Services services, TaskRunner& task_runner, WorkPools& pools)
      : services_(services),
        namespace_(services.homes, services.mounts),
        task_runner_(task_runner),
        pools_(pools) {}

  /// Starts a task and returns its record. For items to restore, `request.sources` are the ids of
  /// the items in the bin. Looks at the first kMostSources items, and at the others when their turn
  /// comes. Fails as Namespace::resolve does for each path, and with:
  /// - `not_found` if the account has no such selection
  /// - `invalid` if there is no source, there are more than kMostSources, or two are the same
  /// - `invalid` if a source to unpack is a root (see ResolvedPath::is_top)
  /// - `invalid` if an item to delete has no bin (see has_bin), unless `request.permanent` is true
  /// - `forbidden` if the key is read-only, or if items are restored by a key limited to a folder
  /// - `forbidden` if the task moves, deletes or restores an item in a read-only location
  /// - `forbidden` if a source is a root, except a mount that is copied
  /// - `forbidden` or `not_found` if an item cannot be restored (see BinService::find)
  /// - `rate_limited` if the account has TaskRunner::kMostUnderWay tasks that have not ended
  Task<Result<catalog::TaskRecord>> start(Principal principal, BatchRequest request);
  /// Starts an interrupted task again, as a new task in place of it, which goes on with the items
  /// that were not over. With OnConflict::fail, names that are taken by now are skipped. Fails as
  /// `start` does, and with `conflict` if the task was not interrupted or has no items any more.
  Task<Result<catalog::TaskRecord>> restart(Principal principal, TaskId id);
  /// Returns the account's tasks that the principal can access, the newest first. Looks only at the
  /// newest catalog::Tasks::kLongestList tasks of the account.
  Task<Result<std::vector<catalog::TaskRecord>>> list(const Principal& principal);
  /// Returns a task; `not_found` if there is no such task or the principal cannot access it.
  Task<Result<catalog::TaskRecord>> find(const Principal& principal, TaskId id);
  /// Cancels a task that has not ended, or removes the record of a task that has ended.
  Task<Result<void>> end(const Principal& principal, TaskId id);

 private:
  Task<Result<BatchRequest>> request_again(const Principal& principal,
                                           const catalog::TaskRecord& task);
  struct Listed;
  Task<Result<void>> read_selection(const Principal& principal, const BatchRequest& request,
                                    Listed& listed);
  Task<Result<Listed>> read_items(const Principal& principal, const BatchRequest& request);
  /// Checks the request and its first items, and returns the kind of load that it causes.
  Task<Result<TaskLoad>> check(Principal& principal, const BatchRequest& request,
                               const Listed& listed);
  static catalog::NewTask task_of(const Principal& principal, const BatchRequest& request,
                                  const Listed& listed);
  template <class Body>
  Task<Result<TaskId>> begin(catalog::NewTask task, TaskLoad load, std::shared_ptr<Body> work);
  Task<Result<void>> find_in_bin(const Principal& principal, BatchRequest& request, Listed& listed);

  const BatchWork::Services services_;
  const Namespace namespace_;
  TaskRunner& task_runner_;
  WorkPools& pools_;
  /// The unpacking processes, of which each may use much memory: in total, and of each account.
  AccountSlots unpack_slots_{6, 2};
  /// For archives from or to servers, which may be slow: they delay only each other.
  AccountSlots unpack_slots_of_servers_{4, 1};
};

}  // namespace coffer::core
