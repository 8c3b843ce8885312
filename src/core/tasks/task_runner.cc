#include "core/tasks/task_runner.h"

#include <algorithm>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <chrono>
#include <exception>
#include <string_view>
#include <utility>

#include "base/log.h"
#include "base/text.h"

namespace coffer::core {
namespace {

constexpr std::chrono::milliseconds kSpeedEvery{200};
/// The weight of the newest measurement in the average.
constexpr double kNewest = 0.3;

/// A server's own words may be in a reason.
constexpr std::size_t kMostReasonBytes = 500;

constexpr auto kReportEvery = std::chrono::milliseconds(300);

catalog::TaskEnd end_of(const Result<void>& result, catalog::Progress progress, bool was_cancelled,
                        bool is_interrupted) {
  catalog::TaskEnd end;
  end.progress = std::move(progress);
  if (result) return end;
  end.error = cut_utf8(result.error().message, kMostReasonBytes);
  end.error_code = result.error().code;
  end.state = catalog::TaskState::failed;
  if (!was_cancelled) return end;
  end.state = is_interrupted ? catalog::TaskState::interrupted : catalog::TaskState::cancelled;
  return end;
}

/// A task that is gone, since it has just ended or its account was removed, need not be noted; nor
/// need progress be reported before the first note is written.
void warn_unless_gone(std::string_view what, const Result<void>& noted) {
  if (noted || noted.error().code == ErrorCode::not_found) return;
  spdlog::warn("{}: {}", what, noted.error().message);
}

/// Turns an exception, which means that something is broken, into a failure of the work.
Task<Result<void>> attempt(TaskRunner::TaskBody& work, RunningTask& running) {
  try {
    co_return co_await work(running);
  } catch (const std::exception& error) {
    spdlog::error("the work of a task failed: {}", error.what());
  }
  co_return fail(ErrorCode::failed, "The work failed because of an unexpected error.");
}

}  // namespace

void TaskFigures::add(const TransferProgress& step) {
  ended_.bytes_done += step.bytes_done();
  ended_.items_done += step.items_done();
  // The rest of a step that failed is not done any more.
  ended_.bytes_total += step.bytes_done();
  ended_.items_total += step.items_done();
}

void TaskFigures::expect(std::uint64_t items, std::uint64_t bytes) {
  expected_items_ += items;
  expected_bytes_ += bytes;
}

void TaskFigures::skip(std::string path, Error why) {
  ++ended_.skipped_count;
  if (skipped_.size() == kMostSkipped) return;
  if (skipped_bytes_ + path.size() > kMostSkippedBytes) return;
  std::string reason(cut_utf8(why.message, kMostReasonBytes));
  skipped_bytes_ += path.size() + reason.size();
  skipped_.push_back({std::move(path), std::move(reason), why.code});
  has_new_skipped_ = true;
}

catalog::Progress TaskFigures::read(const TransferProgress& step) {
  catalog::Progress now = ended_;
  now.bytes_done += step.bytes_done();
  now.items_done += step.items_done();
  now.bytes_total = std::max(expected_bytes_, now.bytes_total + step.bytes_total());
  now.items_total = std::max(expected_items_, now.items_total + step.items_total());
  measure_speed(now.bytes_done);
  now.bytes_per_second = static_cast<std::uint64_t>(bytes_per_second_);
  if (std::exchange(has_new_skipped_, false)) now.skipped = skipped_;
  return now;
}

catalog::Progress TaskFigures::read_last(const TransferProgress& step) {
  has_new_skipped_ = !skipped_.empty();
  return read(step);
}

void TaskFigures::measure_speed(std::uint64_t bytes_done) {
  const auto present = Clock::now();
  const std::chrono::duration<double> passed = present - measured_at_;
  if (passed < kSpeedEvery) return;
  const auto bytes = static_cast<double>(bytes_done - std::min(bytes_done, measured_bytes_));
  const double newest = bytes / passed.count();
  const bool is_first = measured_bytes_ == 0;
  bytes_per_second_ = is_first ? newest : (1 - kNewest) * bytes_per_second_ + kNewest * newest;
  measured_bytes_ = bytes_done;
  measured_at_ = present;
}

RunningTask::RunningTask(catalog::Tasks& tasks, catalog::NewTask task, TaskLoad load,
                         CancelReason cancel_reason,
                         std::function<void(const RunningTask&)> changed)
    : tasks_(tasks),
      id_(catalog::Tasks::new_id()),
      task_(std::move(task)),
      load_(load),
      cancel_reason_(std::move(cancel_reason)),
      changed_(std::move(changed)) {
  figures_.completed_sources(task_.sources_done);
}

void RunningTask::tell() const {
  if (changed_) changed_(*this);
}

Task<Result<void>> RunningTask::note_orphan(std::string path) {
  task_.orphan = std::move(path);
  co_return co_await note();
}

Task<Result<void>> RunningTask::note() {
  is_noted_ = true;
  auto noted = co_await tasks_.note(id_, task_);
  if (noted) task_.items.clear();  // The catalog has them.
  tell();
  co_return noted;
}

void RunningTask::begin_step() {
  auto next = std::make_unique<TransferProgress>();
  figures_.add(*step_);
  const std::lock_guard lock(mutex_);
  if (is_cancelled_) next->cancel(forbidden_);
  step_ = std::move(next);
}

void RunningTask::wait_for_turn(Resume resume) {
  const std::lock_guard lock(mutex_);
  if (is_cancelled_) return resume();
  turn_ = std::move(resume);
}

bool RunningTask::give_turn() {
  const std::lock_guard lock(mutex_);
  if (!turn_) return false;
  has_turn_ = true;
  std::exchange(turn_, nullptr)();
  return true;
}

void RunningTask::cancel() {
  const std::lock_guard lock(mutex_);
  is_cancelled_ = true;
  step_->cancel(forbidden_);
  if (turn_) std::exchange(turn_, nullptr)();
}

/// Its turn has come, whether that can be noted or not.
Task<void> RunningTask::begin() {
  task_.state = catalog::TaskState::running;
  if (!is_noted_) co_return;
  try {
    warn_unless_gone("a task was not recorded", co_await note());
  } catch (const std::exception& error) {
    spdlog::error("a task was not recorded: {}", error.what());
  }
}

/// Runs until the work is over. A failure here stops neither the work nor the next look.
Task<void> RunningTask::watch() {
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
      if (!is_over_) co_await look();
    } catch (const std::exception& error) {
      spdlog::error("a task could not be watched: {}", error.what());
    }
  }
}

Task<void> RunningTask::ask() {
  if (!cancel_reason_ || forbidden_) co_return;
  auto reason = co_await cancel_reason_();
  if (!reason) co_return;
  spdlog::info("a {} of account {} stops because of this: {}", catalog::to_string(task_.kind),
               task_.account_name, reason->message);
  {
    const std::lock_guard lock(mutex_);
    forbidden_ = std::move(reason);
  }
  cancel();
}

/// Work that was stopped in the middle fails with the reason for that; a move that left something
/// behind, with its own error.
Result<void> RunningTask::outcome(Result<void> result) const {
  if (result || !forbidden_ || step_->kept()) return result;
  return std::unexpected(*forbidden_);
}

Task<void> RunningTask::look() {
  if (!is_noted_) warn_unless_gone("a task was not recorded", co_await note());
  if (is_over_) co_return;
  const auto is_to_stop = co_await tasks_.report(task_.account, id_, figures_.read(*step_));
  if (is_to_stop && *is_to_stop) cancel();
  tell();
  const auto reported = is_to_stop ? Result<void>() : failure_of(is_to_stop);
  warn_unless_gone("the progress of a task was not recorded", reported);
}

Task<void> RunningTask::report() {
  const auto reported = co_await tasks_.report(task_.account, id_, figures_.read(*step_));
  if (reported && *reported) cancel();
}

Task<void> RunningTask::note_end(const Result<void>& result, bool is_interrupted) {
  is_over_ = true;
  if (timer_) timer_->cancel();
  if (!is_noted_) co_return;
  try {
    // A task that lost its right was not cancelled by its owner.
    const bool was_cancelled = is_cancelled_ && !forbidden_;
    auto end = end_of(result, figures_.read_last(*step_), was_cancelled, is_interrupted);
    warn_unless_gone("the end of a task was not recorded",
                     co_await tasks_.end(task_.account, id_, std::move(end)));
  } catch (const std::exception& error) {
    spdlog::error("the end of a task was not recorded: {}", error.what());
  }
  tell();
}

void RunningTask::finish(Result<void> result) {
  const std::lock_guard lock(mutex_);
  result_ = std::move(result);
  if (waiter_) waiter_();
}

Task<Result<void>> RunningTask::wait() {
  co_await suspend([this](Resume resume) {
    const std::lock_guard lock(mutex_);
    if (result_) return resume();
    waiter_ = std::move(resume);
  });
  const std::lock_guard lock(mutex_);
  co_return *result_;
}

Task<Result<void>> TaskRunner::run(catalog::NewTask task, TaskLoad load, TaskBody work,
                                   CancelReason cancel_reason) {
  task.state = catalog::TaskState::waiting;
  const auto running = make(std::move(task), load, std::move(cancel_reason));
  const auto place = enter_if_room(running);
  if (!place) {
    Error error{ErrorCode::overloaded,
                "The account has too many copies under way. Try again soon."};
    error.retry_after = std::chrono::seconds(1);
    co_return std::unexpected(std::move(error));
  }
  spawn(*place, std::move(work));
  co_return co_await running->wait();
}

Task<Result<TaskId>> TaskRunner::start(catalog::NewTask task, TaskLoad load, TaskBody work,
                                       CancelReason cancel_reason) {
  task.most_live = kMostUnderWay;
  task.state = catalog::TaskState::waiting;
  const auto running = make(std::move(task), load, std::move(cancel_reason));
  CO_TRY_VOID(co_await running->note());
  spawn(enter(running), std::move(work));
  co_return running->id();
}

std::shared_ptr<RunningTask> TaskRunner::make(catalog::NewTask task, TaskLoad load,
                                              CancelReason cancel_reason) {
  return std::make_shared<RunningTask>(
      tasks_, std::move(task), load, std::move(cancel_reason),
      [this](const RunningTask& running) { tell(running.account(), running.id()); });
}

void TaskRunner::spawn(RunningTasks::iterator place, TaskBody work) {
  std::shared_ptr<RunningTask> running = *place;
  background_.spawn(drive(place, std::move(work)));
  background_.spawn([](std::shared_ptr<RunningTask> watched) -> Task<void> {
    co_await watched->watch();
  }(std::move(running)));
}

bool TaskRunner::cancel(AccountId account, const TaskId& id) {
  const std::lock_guard lock(mutex_);
  for (const auto& running : running_) {
    if (running->account() != account || running->id() != id) continue;
    running->cancel();
    return true;
  }
  return false;
}

Task<void> TaskRunner::drive(RunningTasks::iterator place, TaskBody work) {
  // The list drops it before this function does.
  auto running = std::shared_ptr<RunningTask>(*place);
  co_await take_turn(running);
  Result<void> result = fail(ErrorCode::failed, "The work was stopped before it began.");
  if (!running->was_cancelled()) {
    co_await running->begin();
    result = co_await attempt(work, *running);
  }
  result = running->outcome(std::move(result));
  pass_turn(*running);
  const bool is_ending = leave(place);
  co_await running->note_end(result, is_ending);
  running->finish(std::move(result));
}

/// Returns when the task has its turn, or was cancelled before.
Task<void> TaskRunner::take_turn(const std::shared_ptr<RunningTask>& running) {
  const bool is_on_disks = running->load_ == TaskLoad::disks;
  const std::size_t most = is_on_disks ? kMostOnDisks : kMostOnServers;
  auto take = [&](Resume resume) {
    const std::lock_guard lock(mutex_);
    Turns& turns = turns_[running->lane()];
    running->wait_for_turn(std::move(resume));
    if (turns.taken >= most) return turns.waiting.push_back(running);
    if (running->give_turn()) ++turns.taken;
  };
  co_await suspend(std::move(take));
}

void TaskRunner::pass_turn(const RunningTask& ended) {
  const std::lock_guard lock(mutex_);
  const auto place = turns_.find(ended.lane());
  if (place == turns_.end()) return;
  Turns& turns = place->second;
  if (ended.has_turn_) --turns.taken;
  bool is_passed = !ended.has_turn_;
  while (!is_passed && !turns.waiting.empty()) {
    is_passed = turns.waiting.front()->give_turn();
    turns.taken += is_passed ? 1 : 0;
    turns.waiting.pop_front();
  }
  if (turns.taken == 0 && turns.waiting.empty()) turns_.erase(place);
}

TaskRunner::Counts TaskRunner::counts() {
  const std::lock_guard lock(mutex_);
  Counts counts;
  for (const auto& [lane, turns] : turns_) {
    counts.running += turns.taken;
    counts.waiting += turns.waiting.size();
  }
  return counts;
}

TaskRunner::RunningTasks::iterator TaskRunner::enter(std::shared_ptr<RunningTask> running) {
  const std::lock_guard lock(mutex_);
  return enter_locked(std::move(running));
}

std::optional<TaskRunner::RunningTasks::iterator> TaskRunner::enter_if_room(
    std::shared_ptr<RunningTask> running) {
  const std::lock_guard lock(mutex_);
  const auto is_its = [&](const auto& other) { return other->account() == running->account(); };
  const auto count = static_cast<std::size_t>(std::ranges::count_if(running_, is_its));
  if (count >= kMostUnderWay) return std::nullopt;
  return enter_locked(std::move(running));
}

TaskRunner::RunningTasks::iterator TaskRunner::enter_locked(std::shared_ptr<RunningTask> running) {
  if (is_ending_) running->cancel();
  return running_.insert(running_.end(), std::move(running));
}

bool TaskRunner::leave(RunningTasks::iterator place) {
  const std::lock_guard lock(mutex_);
  running_.erase(place);
  return is_ending_;
}

void TaskRunner::interrupt_all() {
  const std::lock_guard lock(mutex_);
  is_ending_ = true;
  if (!running_.empty()) spdlog::info("long work is interrupted: {}", running_.size());
  for (const auto& running : running_) running->cancel();
}

}  // namespace coffer::core
