#pragma once

#include <atomic>
#include <boost/asio/steady_timer.hpp>
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

#include "async/suspend.h"
#include "async/task.h"
#include "base/error.h"
#include "catalog/tasks.h"
#include "core/tasks/background.h"
#include "core/tasks/task_figures.h"
#include "core/transfer/transfer_run.h"

namespace coffer::core {

/// What has come to forbid work under way, if anything has. Asked several times a second; may be
/// empty.
using CancelReason = std::function<Task<std::optional<Error>>()>;

/// What a task keeps busy: the disks of this machine, or other servers.
enum class TaskLoad : std::uint8_t { disks, servers };

/// Long work as it runs, or waits for its turn: on the executor of the background, one thing at a
/// time.
class RunningTask {
 public:
  /// `changed` is called whenever something of it was noted; it must not wait.
  RunningTask(catalog::Tasks& tasks, catalog::NewTask task, TaskLoad load,
              CancelReason cancel_reason, std::function<void(const RunningTask&)> changed = {});

  const TaskId& id() const { return id_; }
  AccountId account() const { return task_.account; }
  /// Of the step under way.
  TransferProgress& progress() { return *step_; }
  /// What comes now is another step, with a progress of its own.
  void begin_step();
  /// All steps together will have so much.
  void expect(std::uint64_t items, std::uint64_t bytes) { figures_.expect(items, bytes); }
  /// An item is left as it is, and why.
  void skip(std::string path, Error why) { figures_.skip(std::move(path), std::move(why)); }
  bool was_cancelled() const { return is_cancelled_; }
  /// Notes what stands unfinished at this virtual path, before it is made.
  Task<Result<void>> note_orphan(std::string path);

 private:
  friend class TaskRunner;
  /// Work of one account of one kind takes turns.
  using Lane = std::pair<AccountId, TaskLoad>;
  Lane lane() const { return {task_.account, load_}; }
  void wait_for_turn(Resume resume);
  /// False if it was cancelled before.
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
  std::optional<Error> forbidden_;  ///< Why it was stopped.
  TaskFigures figures_;
  std::unique_ptr<TransferProgress> step_ = std::make_unique<TransferProgress>();
  std::atomic<bool> is_cancelled_ = false;
  bool is_noted_ = false;  ///< Or is being noted: the catalog does one thing after the other.
  std::shared_ptr<asio::steady_timer> timer_;  ///< While it is watched.
  bool is_over_ = false;

  std::mutex mutex_;  ///< For what follows, which another thread waits for, and the step's place.
  std::optional<Result<void>> result_;
  Resume waiter_;
  Resume turn_;  ///< While it waits for one.
  bool has_turn_ = false;
};

/// TaskBody on files that may take long: a task of the catalog, whose progress is noted several
/// times a second, once it has lasted for a moment or must note an orphan; two transactions for
/// each small copy would cost more than the copy. So many of an account run at once, and the others
/// wait for their turn in the order in which they came. It goes on when who asked for it goes away.
/// Safe from any thread.
class TaskRunner {
 public:
  TaskRunner(catalog::Tasks& tasks, Background& background)
      : tasks_(tasks), background_(background) {}

  /// Does `work` and returns what it returned; `failed` where it threw, which the log tells. Soon
  /// after there is a reason to cancel it, it is cancelled and fails with that.
  using TaskBody = std::move_only_function<Task<Result<void>>(RunningTask&)>;
  Task<Result<void>> run(catalog::NewTask task, TaskLoad load, TaskBody work,
                         CancelReason cancel_reason = {});
  /// The same, noted before it begins; it goes on by itself. `rate_limited` if the account has too
  /// many that have not ended.
  Task<Result<TaskId>> start(catalog::NewTask task, TaskLoad load, TaskBody work,
                             CancelReason cancel_reason = {});
  static constexpr std::size_t kMostUnderWay = 100;
  /// Stops one that has not ended: it is cancelled. False if there is no such one here.
  bool cancel(AccountId account, const TaskId& id);
  /// Calls `changed` whenever what the catalog says of a task has changed, by any thread; it must
  /// not wait. To be set before the runner is used.
  using TaskChanged = std::function<void(AccountId, const TaskId&)>;
  void on_change(TaskChanged changed) { changed_ = std::move(changed); }
  /// The same for what others changed of a task.
  void tell(AccountId account, const TaskId& id) const {
    if (changed_) changed_(account, id);
  }
  /// At once, of one account.
  static constexpr std::size_t kMostOnDisks = 3;
  static constexpr std::size_t kMostOnServers = 12;
  /// How many have their turn, and how many wait for it.
  struct Counts {
    std::size_t running = 0;
    std::size_t waiting = 0;
  };
  Counts counts();
  /// Stops all that runs, for the end of the server: their tasks are interrupted, not cancelled.
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
