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

/// Long work as the catalog notes it, for its owner to watch, and for a server to clean up after
/// one that ended. Safe from any thread. All but `report` is on the disk when it returns. The calls
/// of a running task are virtual, so that a test can fail them.
class Tasks {
 public:
  explicit Tasks(Database& database);
  virtual ~Tasks();

  /// An id that no task has.
  static TaskId new_id();
  /// Notes a task that runs or waits. A second call notes that it runs now, or where the unfinished
  /// item lies: before that is made. `not_found` if there is no such account.
  virtual Task<Result<void>> note(TaskId id, NewTask task);
  /// Notes the progress; true if the task is to stop. Cheap, to be called a few times a second. On
  /// SQLite a power failure may undo the last calls. `not_found` if no such task runs: it ended, or
  /// its account was removed.
  virtual Task<Result<bool>> report(TaskId id, Progress progress);
  /// Asks a task to stop, which it does when its server reports next, whichever that is.
  /// `not_found` for an id that is unknown or another account's, `conflict` if it has ended.
  Task<Result<void>> stop(AccountId account, TaskId id);
  /// Notes the end of a running task; one that is done left nothing behind. If the database cannot
  /// take it now, it is written later: `not_found`, if no such task runs, is the only failure.
  virtual Task<Result<void>> end(TaskId id, TaskEnd end);

  /// `not_found` for an id that is unknown or another account's.
  Task<Result<TaskRecord>> find(AccountId account, TaskId id);
  /// The account's last tasks, the newest first.
  Task<Result<std::vector<TaskRecord>>> list(AccountId account);
  static constexpr std::size_t kLongestList = 200;

  /// For a server's start: marks the running tasks as interrupted by the end of the last server,
  /// and returns them.
  Task<Result<std::vector<TaskRecord>>> interrupt_running();
  /// The ended tasks that may have left unfinished items; of all accounts, or of one.
  Task<Result<std::vector<TaskRecord>>> orphans(std::optional<AccountId> account = {});
  /// Notes that the unfinished items are gone. `not_found` if there is no such task.
  Task<Result<void>> clear_orphan(TaskId id);
  /// The tags among these of servers of this catalog that have ended. Items with other tags may be
  /// in use by servers of other catalogs.
  Task<Result<std::set<std::string>>> of_ended_runs(std::set<std::string> partial_tags);
  /// Drops a task that has ended; its unfinished items are still removed. Does nothing for one that
  /// runs.
  Task<Result<void>> drop(TaskId id);
  /// Drops the tasks that ended before `time`.
  Task<Result<void>> forget_older_than(Timestamp time);

 protected:
  /// The same catalog, for a test that fails some calls.
  Tasks(const Tasks& other) : Tasks(other.database_) {}

 private:
  Database& database_;
  std::unique_ptr<OwedTaskEnds> owed_;
};

}  // namespace coffer::catalog
