#pragma once

#include <atomic>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "async/suspend.h"
#include "async/task.h"
#include "base/error.h"
#include "catalog/tasks.h"
#include "core/tasks/background.h"
#include "core/transfer/transfer_run.h"

namespace coffer::core {

/// The progress of a task, summed over its steps. A step is a part of the work, such as one copy,
/// and has its own TransferProgress. Not safe for concurrent calls.
class TaskFigures {
 public:
  /// The maximal number of skipped items whose names are recorded.
  static constexpr std::size_t kMostSkipped = 100;
  /// The maximal length of their paths and reasons together.
  static constexpr std::size_t kMostSkippedBytes = 32 * 1024;

  /// Adds the progress of a step that has ended.
  void add(const TransferProgress& step);
  /// Adds items and bytes to the totals that the task is expected to process.
  void expect(std::uint64_t items, std::uint64_t bytes);
  /// Records that the task skips an item, and why.
  void skip(std::string path, Error why);
  /// Records that so many more of the task's own items are over.
  void completed_sources(std::uint64_t count) { ended_.sources_done += count; }

  /// Returns the progress of the task; `step` is its current step. Lists the skipped items only if
  /// some were added since the last call.
  catalog::Progress read(const TransferProgress& step);
  /// Like `read`, but for the last record of the task: always lists the skipped items, also if none
  /// was added since the last call.
  catalog::Progress read_last(const TransferProgress& step);

 private:
  using Clock = std::chrono::steady_clock;
  void measure_speed(std::uint64_t bytes_done);

  catalog::Progress ended_;  ///< The total progress of the steps that have ended.
  std::uint64_t expected_items_ = 0;
  std::uint64_t expected_bytes_ = 0;
  std::vector<catalog::SkippedItem> skipped_;
  std::size_t skipped_bytes_ = 0;
  bool has_new_skipped_ = false;
  double bytes_per_second_ = 0;
  std::uint64_t measured_bytes_ = 0;
  Clock::time_point measured_at_ = Clock::now();
};

/// Returns an error if the task must be cancelled, for example because a right was lost; otherwise
/// nullopt. Called several times a second while the task runs or waits. May be empty.
using CancelReason = std::function<Task<std::optional<Error>>()>;

/// The kind of load that a task causes: on the disks of this machine, or on remote servers.
enum class TaskLoad : std::uint8_t { disks, servers };

/// A running or waiting task. Its coroutines run one at a time, on the executor of Background.
class RunningTask {
 public:
  /// `changed` is called after each change of the task's record in the catalog. It must not block.
  RunningTask(catalog::Tasks& tasks, catalog::NewTask task, TaskLoad load,
              CancelReason cancel_reason, std::function<void(const RunningTask&)> changed = {});

  const TaskId& id() const { return id_; }
  AccountId account() const { return task_.account; }
  /// Returns the progress of the current step.
  TransferProgress& progress() { return *step_; }
  /// Begins the next step, which gets its own TransferProgress.
  void begin_step();
  /// Adds items and bytes to the totals that the task is expected to process.
  void expect(std::uint64_t items, std::uint64_t bytes) { figures_.expect(items, bytes); }
  /// Records that the task skips an item, and why.
  void skip(std::string path, Error why) { figures_.skip(std::move(path), std::move(why)); }
  /// Records that one of the task's own items is over. An interrupted task goes on behind the last
  /// one that was reported.
  void completed_source() { figures_.completed_sources(1); }
  /// Stores the progress now, not within a moment.
  Task<void> report();
  bool was_cancelled() const { return is_cancelled_; }
  /// Records the virtual path of an unfinished item, so that the item can be removed after a crash.
  /// Call it before the item is created.
  Task<Result<void>> note_orphan(std::string path);

 private:
  friend class TaskRunner;
  /// A lane has the tasks of one account with the same kind of load. They take turns.
  using Lane = std::pair<AccountId, TaskLoad>;
  Lane lane() const { return {task_.account, load_}; }
  void wait_for_turn(Resume resume);
  /// Lets the waiting task run. Returns false if the task was cancelled while it waited.
  bool give_turn();
  void cancel();
  Task<void> begin();
  Task<Result<void>> note();
  Task<void> watch();
  Task<void> look();
  Task<void> ask();
  Result<void> outcome(Result<void> result) const;
  Task<void> note_end(const Result<void>& result, bool is_interrupted);
  void finish(Result<void> result);
  void tell() const;
  Task<Result<void>> wait();

  catalog::Tasks& tasks_;
  const TaskId id_;
  catalog::NewTask task_;
  const TaskLoad load_;
  const CancelReason cancel_reason_;
  const std::function<void(const RunningTask&)> changed_;
  std::optional<Error> forbidden_;  ///< The error that `cancel_reason_` has returned.
  TaskFigures figures_;
  std::unique_ptr<TransferProgress> step_ = std::make_unique<TransferProgress>();
  std::atomic<bool> is_cancelled_ = false;
  /// True once the first call of Tasks::note has begun. Later calls of Tasks need not wait for its
  /// end, because the catalog executes calls in their order.
  bool is_noted_ = false;
  std::shared_ptr<asio::steady_timer> timer_;  ///< Set when `watch` begins.
  bool is_over_ = false;

  std::mutex mutex_;  ///< Protects the members below and `step_`.
  std::optional<Result<void>> result_;
  Resume waiter_;
  Resume turn_;  ///< Set while the task waits for its turn.
  bool has_turn_ = false;
};

/// Runs long work on files as tasks, which the catalog records. `run` records a task only if the
/// task lasts for more than a moment or calls note_orphan, since recording takes longer than a
/// small copy. The progress of a recorded task is updated several times a second. Only a limited
/// number of an account's tasks run at once; further tasks wait in the order in which they came.
/// Tasks continue after the client disconnects. Safe from any thread.
class TaskRunner {
 public:
  TaskRunner(catalog::Tasks& tasks, Background& background)
      : tasks_(tasks), background_(background) {}

  using TaskBody = std::move_only_function<Task<Result<void>>(RunningTask&)>;
  /// Runs `work` when the task's turn comes, and returns its result. `overloaded` if the account
  /// has kMostUnderWay tasks that have not ended; `failed` if `work` throws; the exception is
  /// logged. If `cancel_reason` returns an error, cancels the task, which then fails with this
  /// error unless `work` still succeeds.
  Task<Result<void>> run(catalog::NewTask task, TaskLoad load, TaskBody work,
                         CancelReason cancel_reason = {});
  /// Records a task, starts it in the background and returns its id. `rate_limited` if the account
  /// has kMostUnderWay tasks that have not ended, counting those of other processes.
  Task<Result<TaskId>> start(catalog::NewTask task, TaskLoad load, TaskBody work,
                             CancelReason cancel_reason = {});
  static constexpr std::size_t kMostUnderWay = 100;
  /// Cancels a task that has not ended. Returns false if this process has no such task.
  bool cancel(AccountId account, const TaskId& id);
  /// Called on any thread after the record of a task in the catalog has changed. Must not block.
  using TaskChanged = std::function<void(AccountId, const TaskId&)>;
  /// Sets the function that is called on changes. Call it before the runner is used.
  void on_change(TaskChanged changed) { changed_ = std::move(changed); }
  /// Reports a change that other code made to a task's record: calls the function of `on_change`.
  void tell(AccountId account, const TaskId& id) const {
    if (changed_) changed_(account, id);
  }
  /// The maximal number of tasks of one account that run at once, for each kind of load.
  static constexpr std::size_t kMostOnDisks = 3;
  static constexpr std::size_t kMostOnServers = 12;
  struct Counts {
    std::size_t running = 0;
    std::size_t waiting = 0;
  };
  Counts counts();
  /// Stops all tasks because Coffer shuts down. Their state becomes `interrupted`, not `cancelled`.
  void interrupt_all();

 private:
  using RunningTasks = std::list<std::shared_ptr<RunningTask>>;
  std::shared_ptr<RunningTask> make(catalog::NewTask task, TaskLoad load,
                                    CancelReason cancel_reason);
  RunningTasks::iterator enter(std::shared_ptr<RunningTask> running);
  /// The same; nullopt if the account has kMostUnderWay in the list.
  std::optional<RunningTasks::iterator> enter_if_room(std::shared_ptr<RunningTask> running);
  RunningTasks::iterator enter_locked(std::shared_ptr<RunningTask> running);
  void spawn(RunningTasks::iterator place, TaskBody work);
  /// Removes a task from the list. Returns true if `interrupt_all` was called before.
  bool leave(RunningTasks::iterator place);
  Task<void> drive(RunningTasks::iterator place, TaskBody work);
  Task<void> take_turn(const std::shared_ptr<RunningTask>& running);
  void pass_turn(const RunningTask& ended);

  catalog::Tasks& tasks_;
  Background& background_;
  TaskChanged changed_;
  std::mutex mutex_;
  RunningTasks running_;
  struct Turns {
    std::size_t taken = 0;
    std::deque<std::shared_ptr<RunningTask>> waiting;
  };
  std::map<RunningTask::Lane, Turns> turns_;
  bool is_ending_ = false;
};

}  // namespace coffer::core
