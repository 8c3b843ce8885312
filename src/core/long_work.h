#pragma once

#include <functional>
#include <list>
#include <memory>
#include <mutex>

#include "async/task.h"
#include "base/error.h"
#include "catalog/tasks.h"
#include "core/background.h"
#include "core/transfer_progress.h"

namespace coffer::core {

/// Long work as it runs.
class Job {
 public:
  Job(catalog::Tasks& tasks, TaskId id) : tasks_(tasks), id_(std::move(id)) {}

  TransferProgress& progress() { return progress_; }
  /// Notes what stands unfinished at this virtual path, before it is made.
  Task<Result<void>> note_left_over(std::string path);

 private:
  friend class LongWork;
  Task<void> report();
  void end(Result<void> result);

  catalog::Tasks& tasks_;
  const TaskId id_;
  TransferProgress progress_;
  std::mutex mutex_;
  std::optional<Result<void>> result_;
  std::move_only_function<void()> waiter_;
  std::function<void()> stop_reporting_;
};

/// Work on files that may take long: a task of the catalog while it runs, whose progress is noted
/// several times a second. It goes on when who asked for it goes away. Safe from any thread.
class LongWork {
 public:
  LongWork(catalog::Tasks& tasks, Background& background)
      : tasks_(tasks), background_(background) {}

  /// Does `work` and returns what it returned. `failed` with a clear message where it was
  /// cancelled.
  using Work = std::move_only_function<Task<Result<void>>(Job&)>;
  Task<Result<void>> run(catalog::NewTask task, Work work);
  /// Stops the task soon; false if it does not run in this process.
  bool cancel(const TaskId& id);
  /// Stops all that runs, for the end of the server: their tasks are interrupted, not cancelled.
  void interrupt_all();

 private:
  Task<void> drive(std::shared_ptr<Job> job, Work work);

  catalog::Tasks& tasks_;
  Background& background_;
  std::mutex mutex_;
  std::list<std::shared_ptr<Job>> running_;
  bool is_ending_ = false;
};

}  // namespace coffer::core
