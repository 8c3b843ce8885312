#include "core/long_work.h"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <chrono>
#include <exception>
#include <utility>

#include "async/suspend.h"
#include "base/log.h"

namespace coffer::core {
namespace {

constexpr auto kReportEvery = std::chrono::milliseconds(300);

catalog::Progress read(const TransferProgress& progress) {
  return {progress.bytes_done(), progress.bytes_total(), progress.items_done(),
          progress.items_total()};
}

}  // namespace

Task<Result<void>> Job::note_left_over(std::string path) {
  co_return co_await tasks_.set_left_over(id_, std::move(path));
}

// Until the work ends; a report that fails is followed by the next, and the end is told by itself.
Task<void> Job::report() {
  asio::steady_timer timer(co_await asio::this_coro::executor);
  {
    const std::lock_guard lock(mutex_);
    if (result_) co_return;
    stop_reporting_ = [&timer] { timer.cancel(); };
  }
  while (true) {
    timer.expires_after(kReportEvery);
    const auto [error] = co_await timer.async_wait(asio::as_tuple(asio::use_awaitable));
    {
      const std::lock_guard lock(mutex_);
      if (result_) co_return;
    }
    if (error) co_return;
    (void)co_await tasks_.report(id_, read(progress_));
  }
}

void Job::end(Result<void> result) {
  const std::lock_guard lock(mutex_);
  result_ = std::move(result);
  if (stop_reporting_) stop_reporting_();
  if (waiter_) waiter_();
}

Task<Result<void>> LongWork::run(catalog::NewTask task, Work work) {
  auto id = co_await tasks_.begin(std::move(task));
  if (!id) co_return failure_of(std::move(id));
  auto job = std::make_shared<Job>(tasks_, *std::move(id));
  background_.spawn(drive(job, std::move(work)));
  co_await suspend([&job](Resume resume) {
    const std::lock_guard lock(job->mutex_);
    if (job->result_) return resume();
    job->waiter_ = std::move(resume);
  });
  const std::lock_guard lock(job->mutex_);
  co_return *job->result_;
}

Task<void> LongWork::drive(std::shared_ptr<Job> job, Work work) {
  std::list<std::shared_ptr<Job>>::iterator place;
  {
    const std::lock_guard lock(mutex_);
    place = running_.insert(running_.end(), job);
    if (is_ending_) job->progress_.cancel();
  }
  background_.spawn(
      [](std::shared_ptr<Job> reported) -> Task<void> { co_await reported->report(); }(job));
  Result<void> result;
  std::exception_ptr thrown;
  try {
    result = co_await work(*job);
  } catch (...) {
    thrown = std::current_exception();
    result = fail(ErrorCode::failed, "The work failed for a reason that was not foreseen.");
  }
  bool is_ending = false;
  {
    const std::lock_guard lock(mutex_);
    running_.erase(place);
    is_ending = is_ending_;
  }
  auto state = catalog::TaskState::done;
  if (!result) {
    const bool was_cancelled = job->progress_.was_cancelled();
    state = was_cancelled ? catalog::TaskState::cancelled : catalog::TaskState::failed;
    if (was_cancelled && is_ending) state = catalog::TaskState::interrupted;
  }
  (void)co_await tasks_.report(job->id_, read(job->progress_));
  std::string error;
  if (!result) error = result.error().message;
  const auto ended = co_await tasks_.end(job->id_, state, std::move(error));
  if (!ended) spdlog::error("the end of a task was not noted: {}", ended.error().message);
  job->end(std::move(result));
  if (thrown) std::rethrow_exception(thrown);
}

bool LongWork::cancel(const TaskId& id) {
  const std::lock_guard lock(mutex_);
  for (const auto& job : running_) {
    if (job->id_ != id) continue;
    job->progress_.cancel();
    return true;
  }
  return false;
}

void LongWork::interrupt_all() {
  const std::lock_guard lock(mutex_);
  is_ending_ = true;
  for (const auto& job : running_) job->progress_.cancel();
}

}  // namespace coffer::core
