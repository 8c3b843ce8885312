#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "async/task.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/id.h"
#include "catalog/task_record.h"

namespace coffer::catalog {

class Database;
class OwedTaskEnds;

/// The records of tasks, for their owners to watch, and for a server to clean up after an earlier
/// one. Safe from any thread. All calls but `report` are durable when they return. The calls of a
/// running task are virtual, so that tests can make them fail.
class Tasks {
 public:
  explicit Tasks(Database& database);
  virtual ~Tasks();

  /// Returns an unused id.
  static TaskId new_id();
  /// Notes a task that runs or waits. A second call notes that it runs now, or the path of its
  /// unfinished item, before the item is made. `not_found` for an unknown account.
  virtual Task<Result<void>> note(TaskId id, NewTask task);
  /// Notes the progress, a few times a second. Returns true if the task is to stop. On SQLite a
  /// power failure may undo the last calls. `not_found` if no such task runs: it ended, or its
  /// account was removed.
  virtual Task<Result<bool>> report(TaskId id, Progress progress);
  /// Asks a task of any server to stop, which it does at its next report.
  /// `not_found` for an id that is unknown or another account's, `conflict` if it has ended.
  Task<Result<void>> stop(AccountId account, TaskId id);
  /// Notes the end of a running task. If the database cannot be used, the end is written later;
  /// `not_found`, if no such task runs, is the only failure.
  virtual Task<Result<void>> end(TaskId id, TaskEnd end);

  /// `not_found` for an id that is unknown or another account's.
  Task<Result<TaskRecord>> find(AccountId account, TaskId id);
  /// Returns the account's last tasks, the newest first.
  Task<Result<std::vector<TaskRecord>>> list(AccountId account);
  static constexpr std::size_t kLongestList = 200;

  /// For the start of a server: marks the tasks of the last server that did not end as interrupted,
  /// and returns them.
  Task<Result<std::vector<TaskRecord>>> interrupt_running();
  /// Returns the ended tasks that may have left unfinished items, of all accounts or of one.
  Task<Result<std::vector<TaskRecord>>> orphans(std::optional<AccountId> account = {});
  /// Notes that the unfinished items were removed. `not_found` if there is no such task.
  Task<Result<void>> clear_orphan(TaskId id);
  /// Returns those of the tags that belong to ended servers of this catalog. Items with other tags
  /// may be in use by servers of other catalogs.
  Task<Result<std::set<std::string>>> of_ended_runs(std::set<std::string> partial_tags);
  /// Drops an ended task; its unfinished items are still removed. Does nothing for a running task.
  Task<Result<void>> drop(TaskId id);
  /// Drops the tasks that ended before `time`.
  Task<Result<void>> forget_older_than(Timestamp time);

 protected:
  /// Uses the same catalog, for a test that makes some calls fail.
  Tasks(const Tasks& other) : Tasks(other.database_) {}

 private:
  Database& database_;
  std::unique_ptr<OwedTaskEnds> owed_;
};

}  // namespace coffer::catalog
