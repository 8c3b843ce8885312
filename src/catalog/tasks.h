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

/// Long work in the catalog, for its owner to watch and for a server to tidy up after another's
/// end. Safe from any thread. All but `report` is on the disk when it returns. What a task that
/// runs calls is virtual, so that a test can fail it.
class Tasks {
 public:
  explicit Tasks(Database& database);
  virtual ~Tasks();

  /// One that no task has.
  static TaskId new_id();
  /// Notes a task that runs or waits. Once more, it notes that it runs now, or where the unfinished
  /// item lies: to be called before that is made. `not_found` if there is no such account.
  virtual Task<Result<void>> note(TaskId id, NewTask task);
  /// Cheap, to be called a few times a second. On SQLite a power failure may undo the last ones.
  /// Whether the task is to stop. `not_found` if no such task runs: it ended, or its account was
  /// removed.
  virtual Task<Result<bool>> report(TaskId id, Progress progress);
  /// Has a task that has not ended stop, whichever server runs it, as soon as that reports again.
  /// `not_found` for an id that is unknown or another account's, `conflict` if it has ended.
  Task<Result<void>> stop(AccountId account, TaskId id);
  /// Ends a task that runs; one that is done left nothing over. What the database does not take now
  /// is owed and written as soon as it can be: `not_found`, if no such task runs, is the only
  /// failure.
  virtual Task<Result<void>> end(TaskId id, TaskEnd end);

  /// `not_found` for an id that is unknown or another account's.
  Task<Result<TaskRecord>> find(AccountId account, TaskId id);
  /// The account's last ones, the newest first.
  Task<Result<std::vector<TaskRecord>>> list(AccountId account);
  static constexpr std::size_t kLongestList = 200;

  /// For a server's start: whatever runs was interrupted by the last one's end. Returns what ran.
  Task<Result<std::vector<TaskRecord>>> interrupt_running();
  /// Those that run no more and may have left something over; of all accounts, or of one.
  Task<Result<std::vector<TaskRecord>>> orphans(std::optional<AccountId> account = {});
  /// What the task left is gone. `not_found` if there is no such task.
  Task<Result<void>> clear_orphan(TaskId id);
  /// Those of the tags that are in the names of what a server of this catalog made that has ended.
  /// What other servers made may still be at work for them.
  Task<Result<std::set<std::string>>> of_ended_runs(std::set<std::string> partial_tags);
  /// Drops one that ended. What it left is cleared all the same. Nothing for one that runs.
  Task<Result<void>> drop(TaskId id);
  /// Drops the tasks that ended before.
  Task<Result<void>> forget_older_than(Timestamp time);

 protected:
  /// Of the same catalog, for a test that has some calls fail.
  Tasks(const Tasks& other) : Tasks(other.database_) {}

 private:
  Database& database_;
  std::unique_ptr<OwedTaskEnds> owed_;
};

}  // namespace coffer::catalog
