#include "core/long_work.h"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <chrono>
#include <exception>
#include <utility>

#include "base/log.h"

namespace coffer::core {
namespace {

constexpr auto kReportEvery = std::chrono::milliseconds(300);

catalog::Progress read(const TransferProgress& progress) {
  return {progress.bytes_done(), progress.bytes_total(), progress.items_done(),
          progress.items_total()};
}

catalog::TaskEnd end_of(const Result<void>& result, const TransferProgress& progress,
                        bool is_interrupted) {
  catalog::TaskEnd end;
  end.progress = read(progress);
  if (result) return end;
  end.error = result.error().message;
  end.state = catalog::TaskState::failed;
  if (!progress.was_cancelled()) return end;
  end.state = is_interrupted ? catalog::TaskState::interrupted : catalog::TaskState::cancelled;
  return end;
}

/// What it throws is broken, and told where this was called from.
Task<Result<void>> attempt(LongWork::Work& work, Job& job) {
  try {
    co_return co_await work(job);
  } catch (const std::exception& error) {
    spdlog::error("long work broke: {}", error.what());
  }
  co_return fail(ErrorCode::failed, "The work failed for a reason that was not foreseen.");
}

}  // namespace

Job::Job(catalog::Tasks& tasks, catalog::NewTask task, Objection objection)
    : tasks_(tasks),
      id_(catalog::Tasks::new_id()),
      task_(std::move(task)),
      objection_(std::move(objection)) {}

Task<Result<void>> Job::note_left_over(std::string path) {
  task_.left_over = std::move(path);
  co_return co_await note();
}

Task<Result<void>> Job::note() {
  is_noted_ = true;
  co_return co_await tasks_.note(id_, task_);
}

/// Until the work is over. Nothing that goes wrong here stops the work or the next look.
Task<void> Job::watch() {
  if (is_over_) co_return;
  const auto executor = co_await asio::this_coro::executor;
  const auto timer = std::make_shared<asio::steady_timer>(executor);
  timer_ = timer;
  while (!is_over_) {
    timer->expires_after(kReportEvery);
    co_await timer->async_wait(asio::as_tuple(asio::use_awaitable));
    if (is_over_) co_return;
    try {
      co_await ask();
      co_await look();
    } catch (const std::exception& error) {
      spdlog::error("long work could not be watched: {}", error.what());
    }
  }
}

Task<void> Job::ask() {
  if (!objection_ || forbidden_) co_return;
  forbidden_ = co_await objection_();
  if (!forbidden_) co_return;
  spdlog::info("a {} of account {} stops because of this: {}", catalog::to_string(task_.kind),
               task_.account.value, forbidden_->message);
  progress_.cancel();
}

/// What was stopped in the middle fails with the reason; what was done all but a rest, with its
/// own.
Result<void> Job::outcome(Result<void> result) const {
  if (result || !forbidden_ || progress_.kept()) return result;
  return std::unexpected(*forbidden_);
}

Task<void> Job::look() {
  if (!is_noted_) {
    const auto noted = co_await note();
    if (!noted) spdlog::warn("a task was not noted: {}", noted.error().message);
  }
  const auto reported = co_await tasks_.report(id_, read(progress_));
  if (!reported) spdlog::warn("the progress of a task: {}", reported.error().message);
}

Task<void> Job::note_end(const Result<void>& result, bool is_interrupted) {
  is_over_ = true;
  if (timer_) timer_->cancel();
  if (!is_noted_) co_return;
  try {
    auto end = end_of(result, progress_, is_interrupted);
    const auto ended = co_await tasks_.end(id_, std::move(end));
    if (!ended) spdlog::error("the end of a task was not noted: {}", ended.error().message);
  } catch (const std::exception& error) {
    spdlog::error("the end of a task was not noted: {}", error.what());
  }
}

void Job::finish(Result<void> result) {
  const std::lock_guard lock(mutex_);
  result_ = std::move(result);
  if (waiter_) waiter_();
}

Task<Result<void>> Job::wait() {
  co_await suspend([this](Resume resume) {
    const std::lock_guard lock(mutex_);
    if (result_) return resume();
    waiter_ = std::move(resume);
  });
  const std::lock_guard lock(mutex_);
  co_return *result_;
}

Task<Result<void>> LongWork::run(catalog::NewTask task, Work work, Objection objection) {
  const auto job = std::make_shared<Job>(tasks_, std::move(task), std::move(objection));
  background_.spawn(drive(enter(job), std::move(work)));
  background_.spawn(
      [](std::shared_ptr<Job> watched) -> Task<void> { co_await watched->watch(); }(job));
  co_return co_await job->wait();
}

Task<void> LongWork::drive(Jobs::iterator place, Work work) {
  const std::shared_ptr<Job> job = *place;
  auto result = co_await attempt(work, *job);
  result = job->outcome(std::move(result));
  const bool is_ending = leave(place);
  co_await job->note_end(result, is_ending);
  job->finish(std::move(result));
}

LongWork::Jobs::iterator LongWork::enter(std::shared_ptr<Job> job) {
  const std::lock_guard lock(mutex_);
  if (is_ending_) job->progress_.cancel();
  return running_.insert(running_.end(), std::move(job));
}

bool LongWork::leave(Jobs::iterator place) {
  const std::lock_guard lock(mutex_);
  running_.erase(place);
  return is_ending_;
}

void LongWork::interrupt_all() {
  const std::lock_guard lock(mutex_);
  is_ending_ = true;
  if (!running_.empty()) spdlog::info("long work is interrupted: {}", running_.size());
  for (const auto& job : running_) job->progress_.cancel();
}

}  // namespace coffer::core
