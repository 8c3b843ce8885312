#pragma once

#include <boost/asio/steady_timer.hpp>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <optional>

#include "async/suspend.h"
#include "async/task.h"
#include "base/error.h"
#include "catalog/tasks.h"
#include "core/background.h"
#include "core/transfer_progress.h"

namespace coffer::core {

/// What has come to forbid work under way, if anything has. Asked several times a second; may be
/// empty.
using Objection = std::function<Task<std::optional<Error>>()>;

/// Long work as it runs: on the executor of the background, one thing at a time.
class Job {
 public:
  Job(catalog::Tasks& tasks, catalog::NewTask task, Objection objection);

  TransferProgress& progress() { return progress_; }
  /// Notes what stands unfinished at this virtual path, before it is made.
  Task<Result<void>> note_left_over(std::string path);

 private:
  friend class LongWork;
  Task<Result<void>> note();
  Task<void> watch();
  Task<void> look();
  Task<void> ask();
  Result<void> outcome(Result<void> result) const;
  Task<void> note_end(const Result<void>& result, bool is_interrupted);
  void finish(Result<void> result);
  Task<Result<void>> wait();

  catalog::Tasks& tasks_;
  const TaskId id_;
  catalog::NewTask task_;
  const Objection objection_;
  std::optional<Error> forbidden_;  ///< Why it was stopped.
  TransferProgress progress_;
  bool is_noted_ = false;  ///< Or is being noted: the catalog does one thing after the other.
  std::shared_ptr<asio::steady_timer> timer_;  ///< While it is watched.
  bool is_over_ = false;

  std::mutex mutex_;  ///< For what follows, which another thread waits for.
  std::optional<Result<void>> result_;
  Resume waiter_;
};

/// Work on files that may take long: a task of the catalog, whose progress is noted several times a
/// second, once it has lasted for a moment or must note a left-over; two transactions for each
/// small copy would cost more than the copy. It goes on when who asked for it goes away. Safe from
/// any thread.
class LongWork {
 public:
  LongWork(catalog::Tasks& tasks, Background& background)
      : tasks_(tasks), background_(background) {}

  /// Does `work` and returns what it returned; `failed` where it threw, which the log tells. Soon
  /// after there is an objection it is cancelled and fails with that.
  using Work = std::move_only_function<Task<Result<void>>(Job&)>;
  Task<Result<void>> run(catalog::NewTask task, Work work, Objection objection = {});
  /// Stops all that runs, for the end of the server: their tasks are interrupted, not cancelled.
  void interrupt_all();

 private:
  using Jobs = std::list<std::shared_ptr<Job>>;
  Jobs::iterator enter(std::shared_ptr<Job> job);
  /// True if the server is ending.
  bool leave(Jobs::iterator place);
  Task<void> drive(Jobs::iterator place, Work work);

  catalog::Tasks& tasks_;
  Background& background_;
  std::mutex mutex_;
  Jobs running_;
  bool is_ending_ = false;
};

}  // namespace coffer::core
