#include <array>
#include <boost/asio/detached.hpp>
#include <cstddef>
#include <list>
#include <optional>

#include "core/tasks/testing/task_fixture.h"

namespace coffer::core {
namespace {

using catalog::TaskState;

/// Tasks of a catalog that is broken in what is noted of work under way.
class BrokenTasks final : public catalog::Tasks {
 public:
  explicit BrokenTasks(const catalog::Tasks& real) : Tasks(real) {}

  Task<Result<bool>> report(catalog::Turn, TaskId, catalog::Progress) override {
    ++reports;
    throw std::runtime_error("broken");
  }
  Task<Result<void>> end(catalog::Turn, TaskId, catalog::TaskEnd) override {
    ++ends;
    throw std::runtime_error("broken");
  }

  int reports = 0;
  int ends = 0;
};

/// Tasks that the catalog does not have: not yet, or not any more.
class MissingTasks final : public catalog::Tasks {
 public:
  explicit MissingTasks(const catalog::Tasks& real) : Tasks(real) {}

  Task<Result<bool>> report(catalog::Turn, TaskId, catalog::Progress) override {
    ++reports;
    co_return fail(ErrorCode::not_found, "There is no such task.");
  }
  Task<Result<void>> end(catalog::Turn, TaskId, catalog::TaskEnd) override {
    co_return fail(ErrorCode::not_found, "There is no such task.");
  }

  int reports = 0;
};

/// Counts what became of the tasks that were started; each that began is held.
struct Starts {
  Task<void> start(TaskRunner& runner, catalog::NewTask task) {
    auto work = [this](RunningTask& running) { return held.emplace_back()(running); };
    const auto started =
        co_await runner.start(std::move(task), TaskLoad::disks, std::move(work), {});
    ++(started ? accepted : refused);
    if (!started) code = started.error().code;
  }

  std::list<Held> held;
  std::size_t accepted = 0;
  std::size_t refused = 0;
  std::optional<ErrorCode> code;
};

TEST_F(TaskRunnerTest, TheLimitHoldsForThoseThatComeAtOnce) {
  Starts starts;
  constexpr std::size_t kMore = TaskRunner::kMostUnderWay + 20;
  for (std::size_t i = 0; i < kMore; ++i) {
    asio::co_spawn(context_, starts.start(*task_runner_, task()), asio::detached);
  }
  run_until([&] { return starts.accepted + starts.refused == kMore; });
  EXPECT_EQ(starts.accepted, TaskRunner::kMostUnderWay);
  EXPECT_EQ(starts.code, ErrorCode::rate_limited);
  // Those that wait for their result count too.
  start([](RunningTask&) -> Task<Result<void>> { co_return Result<void>(); });
  run_until([&] { return result_.has_value(); });
  EXPECT_EQ(result_->error().code, ErrorCode::overloaded);
  run_until([&] { return starts.held.size() == TaskRunner::kMostOnDisks; });
  task_runner_->interrupt_all();
  for (Held& one : starts.held) one.go_on();
  run_all();
}

TEST_F(TaskRunnerTest, ReturnsWhatTheWorkReturnedAndNotesIt) {
  start([](RunningTask& running) -> Task<Result<void>> {
    auto noted = co_await running.note_orphan("b.part");
    if (!noted) co_return noted;
    running.progress().found(1, 7);
    running.progress().wrote(7);
    running.progress().completed_item();
    co_return Result<void>();
  });
  run_all();
  ASSERT_TRUE(result_);
  EXPECT_TRUE(*result_);
  const auto end = noted();
  EXPECT_EQ(end.state, TaskState::done);
  EXPECT_EQ(end.from, "a");
  EXPECT_EQ(end.to, "b");
  EXPECT_EQ(end.bytes_done, 7u);
  EXPECT_EQ(end.bytes_total, 7u);
  EXPECT_EQ(end.items_done, 1u);
  EXPECT_EQ(end.error, "");
  EXPECT_EQ(end.orphan, "");
}

TEST_F(TaskRunnerTest, WhatEndsAtOnceIsNoTask) {
  for (const auto& result : {Result<void>(), Result<void>(fail(ErrorCode::exists, "Taken."))}) {
    result_.reset();
    start([&result](RunningTask&) -> Task<Result<void>> { co_return result; });
    run_all();
    ASSERT_TRUE(result_);
    EXPECT_EQ(result_->has_value(), result.has_value());
    EXPECT_TRUE(coffer::run(catalog_->tasks().list(account_)).value().empty());
  }
}

TEST_F(TaskRunnerTest, WhatLastsForAMomentIsATask) {
  Held held;
  start([&held](RunningTask& running) { return held(running); });
  run_until([&] { return held.resume && !all_noted().empty(); });
  EXPECT_EQ(noted().state, TaskState::running);
  EXPECT_EQ(noted().from, "a");
  held.go_on();
  run_all();
  EXPECT_EQ(noted().state, TaskState::done);
}

TEST_F(TaskRunnerTest, AFailureIsNotedWithItsReason) {
  start([](RunningTask& running) -> Task<Result<void>> {
    (void)co_await running.note_orphan("b.part");
    co_return fail(ErrorCode::timed_out, "Too slow.");
  });
  run_all();
  ASSERT_TRUE(result_);
  ASSERT_FALSE(*result_);
  EXPECT_EQ(result_->error().code, ErrorCode::timed_out);
  EXPECT_EQ(noted().state, TaskState::failed);
  EXPECT_EQ(noted().error, "Too slow.");
  EXPECT_EQ(noted().orphan, "b.part");
}

TEST_F(TaskRunnerTest, WhatIsThrownEndsTheTaskAndNotTheProgram) {
  start([](RunningTask& running) -> Task<Result<void>> {
    (void)co_await running.note_orphan("b.part");
    throw std::runtime_error("broken");
    co_return Result<void>();
  });
  run_all();
  ASSERT_TRUE(result_);
  EXPECT_FALSE(*result_);
  EXPECT_EQ(noted().state, TaskState::failed);
}

TEST_F(TaskRunnerTest, ProgressAndLeftOversAreNotedWhileItRuns) {
  Held held;
  start([&held](RunningTask& running) { return held(running); });
  run_until([&] { return held.resume != nullptr; });
  ASSERT_TRUE(coffer::run(held.running->note_orphan("b.part")));
  EXPECT_EQ(noted().state, TaskState::running);
  EXPECT_EQ(noted().orphan, "b.part");
  held.running->progress().found(2, 10);
  held.running->progress().wrote(5);
  run_until([&] { return noted().bytes_done == 5; });
  EXPECT_EQ(noted().bytes_total, 10u);
  EXPECT_FALSE(result_);
  held.go_on();
  run_all();
  EXPECT_TRUE(*result_);
  EXPECT_EQ(noted().orphan, "");
}

TEST_F(TaskRunnerTest, WhoWaitsIsAnsweredThoughNothingCanBeNoted) {
  BrokenTasks broken(catalog_->tasks());
  task_runner_.emplace(broken, *background_);
  Held held;
  start([&held](RunningTask& running) { return held(running); });
  run_until([&] { return held.resume != nullptr && broken.reports >= 2; });
  EXPECT_FALSE(result_);
  held.go_on();
  run_all();
  ASSERT_TRUE(result_);
  EXPECT_TRUE(*result_);
  EXPECT_EQ(thrown_, nullptr);
  EXPECT_EQ(broken.ends, 1);
}

TEST_F(TaskRunnerTest, TheLogDoesNotSayThatATaskWhichHasJustEndedIsMissing) {
  const LogText log;
  MissingTasks missing(catalog_->tasks());
  task_runner_.emplace(missing, *background_);
  Held held;
  start([&held](RunningTask& running) { return held(running); });
  run_until([&] { return held.resume != nullptr && missing.reports >= 1; });
  held.go_on();
  run_all();
  EXPECT_TRUE(*result_);
  EXPECT_EQ(log.str(), "");
}

TEST_F(TaskRunnerTest, AnObjectionStopsItAndIsWhatItFailsWith) {
  Held held;
  int asked = 0;
  CancelReason cancel_reason = [&asked]() -> Task<std::optional<Error>> {
    if (++asked < 2) co_return std::nullopt;
    co_return Error{ErrorCode::forbidden, "Not any more."};
  };
  start([&held](RunningTask& running) { return held(running); }, std::move(cancel_reason));
  run_until([&] { return held.resume && held.running->progress().was_cancelled(); });
  EXPECT_EQ(asked, 2);
  EXPECT_FALSE(result_);
  held.go_on();
  run_all();
  EXPECT_EQ(result_->error(), (Error{ErrorCode::forbidden, "Not any more."}));
  EXPECT_EQ(noted().state, TaskState::failed);
  EXPECT_EQ(noted().error, "Not any more.");
}

TEST_F(TaskRunnerTest, AnObjectionAfterItsLastStepChangesNothing) {
  CancelReason cancel_reason = []() -> Task<std::optional<Error>> {
    co_return Error{ErrorCode::forbidden, "Not any more."};
  };
  Resume resume;
  bool was_cancelled = false;
  auto work = [&](RunningTask& running) -> Task<Result<void>> {
    co_await suspend([&](Resume go_on) { resume = std::move(go_on); });
    was_cancelled = running.progress().was_cancelled();
    co_return Result<void>();
  };
  start(work, std::move(cancel_reason));
  run_until([&] { return resume && !all_noted().empty(); });
  std::exchange(resume, nullptr)();
  run_all();
  EXPECT_TRUE(was_cancelled);
  EXPECT_TRUE(*result_);
  EXPECT_EQ(noted().state, TaskState::done);
}

TEST_F(TaskRunnerTest, AnObjectionThatCannotBeAskedForIsAskedForAgain) {
  Held held;
  int asked = 0;
  CancelReason cancel_reason = [&asked]() -> Task<std::optional<Error>> {
    if (++asked < 2) throw std::runtime_error("broken");
    co_return Error{ErrorCode::forbidden, "Not any more."};
  };
  start([&held](RunningTask& running) { return held(running); }, std::move(cancel_reason));
  run_until([&] { return held.resume && held.running->progress().was_cancelled(); });
  held.go_on();
  run_all();
  EXPECT_EQ(result_->error().code, ErrorCode::forbidden);
}

TEST_F(TaskRunnerTest, TheEndOfTheServerInterruptsIt) {
  Held held;
  start([&held](RunningTask& running) { return held(running); });
  run_until([&] { return held.resume && !all_noted().empty(); });
  task_runner_->interrupt_all();
  held.go_on();
  run_all();
  EXPECT_EQ(noted().state, TaskState::interrupted);
  // What comes later does not begin.
  result_.reset();
  bool is_begun = false;
  start([&](RunningTask&) -> Task<Result<void>> {
    is_begun = true;
    co_return Result<void>();
  });
  run_all();
  EXPECT_FALSE(is_begun);
  ASSERT_TRUE(result_);
  EXPECT_FALSE(*result_);
}

TEST_F(TaskRunnerTest, TellsWhatIsNotedOfATask) {
  std::vector<catalog::TaskState> told;
  task_runner_->on_change([&](AccountId account, const TaskId& id) {
    EXPECT_EQ(account, account_);
    told.push_back(coffer::run(catalog_->tasks().find(account, id)).value().state);
  });
  start([](RunningTask& running) -> Task<Result<void>> {
    co_return co_await running.note_orphan("there");
  });
  run_all();
  ASSERT_FALSE(told.empty());
  EXPECT_EQ(told.front(), catalog::TaskState::running);
  EXPECT_EQ(told.back(), catalog::TaskState::done);
}

}  // namespace
}  // namespace coffer::core
