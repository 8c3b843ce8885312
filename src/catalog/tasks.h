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
#include "catalog/row_limits.h"
#include "catalog/task_record.h"
#include "catalog/turn.h"

namespace coffer::catalog {

class Database;
class OwedTaskEnds;

/// The records of tasks. Accounts see their tasks in these records. A server uses them to clean up
/// after an earlier run (a run is the time between a server's start and its stop). Safe from any
/// thread. All calls except `report` are durable when they return. The functions that a running
/// task calls are virtual, so that tests can make them fail.
class Tasks {
 public:
  explicit Tasks(Database& database);
  virtual ~Tasks();

  static TaskId new_id();
  /// Stores a running or waiting task; `not_found` if its account is unknown, `rate_limited` if it
  /// has `task.most_live` others that have not ended, or if its account's tasks have too many items
  /// (see Selections); `not_found` also if `task.selection` does not wait, `conflict` if
  /// the items of `task.restarts` cannot be taken over (see Selections::of_task). Stores the items,
  /// which stay until the task has ended otherwise than by an interruption. Call it again when a
  /// waiting task starts. Before a task creates an item, call it with the item's path as `orphan`.
  /// A new task pushes out the account's oldest ended ones (see kMostEndedTasks).
  virtual Task<Result<void>> note(TaskId id, NewTask task);
  /// Records a running task's progress, a few times a second. Returns true if the task must stop.
  /// On SQLite a power failure may undo the last calls. `not_found` if the task has ended or its
  /// account was removed.
  virtual Task<Result<bool>> report(Turn turn, TaskId id, Progress progress);
  /// Asks a task to stop: the next call of `report` for this task returns true. `not_found` if the
  /// account has no task with this id; `conflict` if the task has ended.
  Task<Result<void>> stop(AccountId account, TaskId id);
  /// Records the end of a task. If the database cannot be used, succeeds and records the end later.
  /// The only error is `not_found`, if the task has ended already or its account was removed.
  virtual Task<Result<void>> end(Turn turn, TaskId id, TaskEnd end);

  /// Returns a task; `not_found` if the account has no task with this id.
  Task<Result<TaskRecord>> find(AccountId account, TaskId id);
  /// Returns the account's last tasks, at most kLongestList, the newest first.
  Task<Result<std::vector<TaskRecord>>> list(AccountId account);
  static constexpr std::size_t kLongestList = kMostEndedTasks;

  /// Marks as interrupted the tasks that have not ended although their run has, and returns them;
  /// as done, those of them whose items are all over.
  Task<Result<std::vector<TaskRecord>>> interrupt_ended();
  /// Returns the ended tasks that may have left unfinished items, of all accounts or of one.
  Task<Result<std::vector<TaskRecord>>> orphans(std::optional<AccountId> account = {});
  /// Records that a task's unfinished item was removed. `not_found` if there is no such task.
  Task<Result<void>> clear_orphan(Turn turn, TaskId id);
  /// Returns those of the tags that belong to ended runs. A run's tag is part of the names of its
  /// incomplete items. Items with other tags may belong to a running server, so do not delete them.
  Task<Result<std::set<std::string>>> of_ended_runs(std::set<std::string> partial_tags);
  /// Hides an ended task from its owner. Deletes the task's record, unless the task left an
  /// unfinished item that must still be removed. Does nothing for a task that has not ended.
  Task<Result<void>> drop(Turn turn, TaskId id);
  /// Deletes the records of the tasks that ended before `time`.
  Task<Result<void>> forget_older_than(Timestamp time);

 protected:
  /// Makes an object that uses the database of `other`. For tests that make some calls fail.
  Tasks(const Tasks& other) : Tasks(other.database_) {}

 private:
  Database& database_;
  std::unique_ptr<OwedTaskEnds> owed_;
};

}  // namespace coffer::catalog
