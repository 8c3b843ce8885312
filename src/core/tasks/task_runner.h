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

/// The progress of a task of several steps, each of which has a progress of its own. Not safe for
/// concurrent calls.
class TaskFigures {
 public:
  /// The most skipped items whose names are noted.
  static constexpr std::size_t kMostSkipped = 100;

  /// Adds a step that has ended.
  void add(const TransferProgress& step);
  /// Adds to the total of all steps.
  void expect(std::uint64_t items, std::uint64_t bytes);
  /// Adds an item that is left as it is, and why.
  void skip(std::string path, Error why);

  /// The figures now, with those of the step under way.
  catalog::Progress read(const TransferProgress& step);
  /// The same for the last note, always with the skipped items.
  catalog::Progress read_last(const TransferProgress& step);

 private:
  using Clock = std::chrono::steady_clock;
  void measure_speed(std::uint64_t bytes_done);

  catalog::Progress ended_;  ///< Of the steps that have ended.
  std::uint64_t expected_items_ = 0;
  std::uint64_t expected_bytes_ = 0;
  std::vector<catalog::SkippedItem> skipped_;
  bool has_new_skipped_ = false;
  double bytes_per_second_ = 0;
  std::uint64_t measured_bytes_ = 0;
  Clock::time_point measured_at_ = Clock::now();
};

/// Returns the reason to cancel work under way, if there is one. Called several times a second; may
/// be empty.
using CancelReason = std::function<Task<std::optional<Error>>()>;

/// The load of a task: on the disks of this machine, or on other servers.
enum class TaskLoad : std::uint8_t { disks, servers };

/// A task that runs or waits for its turn, on the executor of the background, one thing at a time.
class RunningTask {
 public:
  /// `changed` is called whenever the task was noted in the catalog; it must not wait.
  RunningTask(catalog::Tasks& tasks, catalog::NewTask task, TaskLoad load,
              CancelReason cancel_reason, std::function<void(const RunningTask&)> changed = {});

  const TaskId& id() const { return id_; }
  AccountId account() const { return task_.account; }
  /// The progress of the current step.
  TransferProgress& progress() { return *step_; }
  /// Begins another step, with a progress of its own.
  void begin_step();
  /// Adds to the total of all steps.
  void expect(std::uint64_t items, std::uint64_t bytes) { figures_.expect(items, bytes); }
  /// Adds an item that is left as it is, and why.
  void skip(std::string path, Error why) { figures_.skip(std::move(path), std::move(why)); }
  bool was_cancelled() const { return is_cancelled_; }
  /// Notes the virtual path of an unfinished item, before the item is made.
  Task<Result<void>> note_orphan(std::string path);

 private:
  friend class TaskRunner;
  /// Tasks of one account with one kind of load take turns.
  using Lane = std::pair<AccountId, TaskLoad>;
  Lane lane() const { return {task_.account, load_}; }
  void wait_for_turn(Resume resume);
  /// False if the task was cancelled before.
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
  std::optional<Error> forbidden_;  ///< The reason why it was stopped.
  TaskFigures figures_;
  std::unique_ptr<TransferProgress> step_ = std::make_unique<TransferProgress>();
  std::atomic<bool> is_cancelled_ = false;
  bool is_noted_ = false;  ///< Or is being noted: the catalog keeps the order of calls.
  std::shared_ptr<asio::steady_timer> timer_;  ///< While it is watched.
  bool is_over_ = false;

  std::mutex mutex_;  ///< For the members below, and for `step_`.
  std::optional<Result<void>> result_;
  Resume waiter_;
  Resume turn_;  ///< While it waits for one.
  bool has_turn_ = false;
};

/// Runs work on files that may take long as tasks of the catalog. A task is noted, and its progress
/// several times a second, once it has lasted for a moment or must note an orphan: two transactions
/// for each small copy would cost more than the copy. A bounded number of an account's tasks run at
/// once; others wait for their turn in the order in which they came. Tasks continue after the
/// client disconnects. Safe from any thread.
class TaskRunner {
 public:
  TaskRunner(catalog::Tasks& tasks, Background& background)
      : tasks_(tasks), background_(background) {}

  /// Does `work` and returns its result; `failed` if it threw, which is logged. Cancelled soon
  /// after there is a reason to, it fails with that reason.
  using TaskBody = std::move_only_function<Task<Result<void>>(RunningTask&)>;
  Task<Result<void>> run(catalog::NewTask task, TaskLoad load, TaskBody work,
                         CancelReason cancel_reason = {});
  /// Notes a task, begins it and returns. `rate_limited` if the account has too many that have not
  /// ended.
  Task<Result<TaskId>> start(catalog::NewTask task, TaskLoad load, TaskBody work,
                             CancelReason cancel_reason = {});
  static constexpr std::size_t kMostUnderWay = 100;
  /// Cancels a task that has not ended; false if there is no such task here.
  bool cancel(AccountId account, const TaskId& id);
  /// Calls `changed`, on any thread, whenever a task changed in the catalog; it must not wait. To
  /// be set before the runner is used.
  using TaskChanged = std::function<void(AccountId, const TaskId&)>;
  void on_change(TaskChanged changed) { changed_ = std::move(changed); }
  /// Tells of a task that others changed in the catalog.
  void tell(AccountId account, const TaskId& id) const {
    if (changed_) changed_(account, id);
  }
  /// The most tasks of one account at once.
  static constexpr std::size_t kMostOnDisks = 3;
  static constexpr std::size_t kMostOnServers = 12;
  /// The numbers of tasks that run, and that wait for their turn.
  struct Counts {
    std::size_t running = 0;
    std::size_t waiting = 0;
  };
  Counts counts();
  /// Stops all tasks for the end of the server: they are interrupted, not cancelled.
  void interrupt_all();

 private:
  using RunningTasks = std::list<std::shared_ptr<RunningTask>>;
  std::shared_ptr<RunningTask> make(catalog::NewTask task, TaskLoad load,
                                    CancelReason cancel_reason);
  RunningTasks::iterator enter(std::shared_ptr<RunningTask> running);
  std::size_t count_of(AccountId account);
  void spawn(std::shared_ptr<RunningTask> running, TaskBody work);
  /// True if the server is ending.
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
