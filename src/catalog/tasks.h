#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "async/task.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/id.h"
#include "catalog/on_conflict.h"

namespace coffer::catalog {

class Database;
class OwedTaskEnds;

/// `remove` is deleting, into the bin or for good.
enum class TaskKind : std::uint8_t { copy, move, remove, restore, unpack };
std::string_view to_string(TaskKind kind);
std::optional<TaskKind> task_kind_from(std::string_view text);

/// `waiting` is for others of the same account that run.
enum class TaskState : std::uint8_t { waiting, running, done, failed, cancelled, interrupted };
std::string_view to_string(TaskState state);
std::optional<TaskState> task_state_from(std::string_view text);

/// What a task left as it was.
struct SkippedItem {
  std::string path;
  std::string reason;                  ///< For the owner.
  std::optional<ErrorCode> code = {};  ///< The same for programs; not of those of before.
};

/// How far a task is.
struct Progress {
  std::uint64_t bytes_done = 0;
  std::uint64_t bytes_total = 0;  ///< 0 as long as it is not known.
  std::uint64_t items_done = 0;
  std::uint64_t items_total = 0;  ///< Likewise.
  std::uint64_t bytes_per_second = 0;
  std::uint64_t skipped_count = 0;
  /// The first of them; empty where they are the same as when this was noted last.
  std::vector<SkippedItem> skipped = {};
};

/// A piece of long work. Paths are virtual, as the owner sees them.
struct TaskRecord {
  TaskId id;
  AccountId account;
  TaskKind kind = TaskKind::copy;
  std::string from;
  std::string to;
  std::vector<std::string> sources;       ///< Of one on several items into the folder `to`.
  std::optional<OnConflict> on_conflict;  ///< Likewise.
  TaskState state = TaskState::running;
  std::uint64_t bytes_done = 0;
  std::uint64_t bytes_total = 0;  ///< 0 as long as it is not known.
  std::uint64_t items_done = 0;
  std::uint64_t items_total = 0;  ///< Likewise.
  std::uint64_t bytes_per_second = 0;
  std::uint64_t skipped_count = 0;
  std::vector<SkippedItem> skipped;     ///< The first of them.
  std::string error;                    ///< Why it failed, for the owner; empty otherwise.
  std::optional<ErrorCode> error_code;  ///< The same for programs; not of those of before.
  std::string orphan;  ///< The unfinished item at the destination; empty if there is none.
  Timestamp created_at{};
  Timestamp updated_at{};
};

struct NewTask {
  AccountId account;
  TaskKind kind = TaskKind::copy;
  std::string from;
  std::string to;
  std::string orphan = {};
  std::string account_name = {};         ///< For the log; it is not stored.
  TaskState state = TaskState::running;  ///< Or `waiting`.
  std::vector<std::string> sources = {};
  std::optional<OnConflict> on_conflict = {};
};

/// How a task ended: in any state but the first two.
struct TaskEnd {
  TaskState state = TaskState::done;
  Progress progress = {};
  std::string error = {};
  std::optional<ErrorCode> error_code = {};
};

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
  /// True if a server of this catalog made what has that tag in its name, and has ended. What other
  /// servers made may still be at work for them.
  Task<Result<bool>> is_of_ended_run(std::string partial_tag);
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
