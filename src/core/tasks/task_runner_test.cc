#include "core/tasks/task_runner.h"

#include <gtest/gtest.h>
#include <spdlog/sinks/ostream_sink.h>

#include <algorithm>
#include <array>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <filesystem>
#include <optional>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>

#include "async/run.h"
#include "async/suspend.h"
#include "base/log.h"
#include "base/random.h"
#include "catalog/catalog.h"

namespace coffer::core {
namespace {

namespace fs = std::filesystem;
using catalog::TaskState;

/// A catalog with one account, and what runs work in the background.
class TaskRunnerTest : public testing::Test {
 protected:
  TaskRunnerTest() : folder_(fs::temp_directory_path() / ("coffer-work-" + random_hex(8))) {
    fs::create_directory(folder_);
    catalog_ = catalog::Catalog::open("sqlite://" + (folder_ / "catalog").string()).value();
    account_ = add_account("ada");
    background_.emplace(context_.get_executor());
    task_runner_.emplace(catalog_->tasks(), *background_);
  }
  ~TaskRunnerTest() override {
    catalog_.reset();
    fs::remove_all(folder_);
  }

  AccountId add_account(const std::string& name) {
    catalog::NewAccount account;
    account.name = name;
    return coffer::run(catalog_->accounts().add(std::move(account))).value().id;
  }
  /// Begins the work; the end shows in `result_`.
  void start(TaskRunner::TaskBody work, CancelReason cancel_reason = {}) {
    start(task(), TaskLoad::disks, std::move(work), std::move(cancel_reason));
  }
  void start(catalog::NewTask task, TaskLoad load, TaskRunner::TaskBody work,
             CancelReason cancel_reason = {}) {
    ++started_;
    asio::co_spawn(
        context_,
        task_runner_->run(std::move(task), load, std::move(work), std::move(cancel_reason)),
        [this](std::exception_ptr error, Result<void> result) {
          ++ended_;
          thrown_ = error;
          result_ = std::move(result);
        });
  }
  /// Lets everything run until nothing waits any more.
  void run_all() {
    context_.restart();
    context_.run();
  }
  template <class Done>
  void run_until(Done done) {
    context_.restart();
    while (!done()) context_.run_one();
  }
  catalog::NewTask task() const { return {account_, catalog::TaskKind::copy, "a", "b"}; }
  std::vector<catalog::TaskRecord> all_noted() {
    return coffer::run(catalog_->tasks().list(account_)).value();
  }
  catalog::TaskRecord noted() {
    const auto all = all_noted();
    if (all.size() != 1) throw std::runtime_error("not one task");
    return all.front();
  }

  const fs::path folder_;
  std::unique_ptr<catalog::Catalog> catalog_;
  AccountId account_;
  asio::io_context context_;
  std::optional<Background> background_;
  std::optional<TaskRunner> task_runner_;
  std::optional<Result<void>> result_;
  std::exception_ptr thrown_;
  int started_ = 0;
  int ended_ = 0;
};

/// Tasks of a catalog that is broken in what is noted of work under way.
class BrokenTasks final : public catalog::Tasks {
 public:
  explicit BrokenTasks(const catalog::Tasks& real) : Tasks(real) {}

  Task<Result<void>> report(TaskId, catalog::Progress) override {
    ++reports;
    throw std::runtime_error("broken");
  }
  Task<Result<void>> end(TaskId, catalog::TaskEnd) override {
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

  Task<Result<void>> report(TaskId, catalog::Progress) override {
    ++reports;
    co_return fail(ErrorCode::not_found, "There is no such task.");
  }
  Task<Result<void>> end(TaskId, catalog::TaskEnd) override {
    co_return fail(ErrorCode::not_found, "There is no such task.");
  }

  int reports = 0;
};

/// Tasks of a catalog that breaks where one is noted for the second time.
class TasksNotedOnce final : public catalog::Tasks {
 public:
  explicit TasksNotedOnce(const catalog::Tasks& real) : Tasks(real) {}

  Task<Result<void>> note(TaskId id, catalog::NewTask task) override {
    if (!noted_.insert(id).second) throw std::runtime_error("broken");
    co_return co_await Tasks::note(id, std::move(task));
  }

 private:
  std::set<TaskId> noted_;
};

/// What is logged while it lives.
class LogText {
 public:
  LogText() : before_(spdlog::default_logger()) {
    auto sink = std::make_shared<spdlog::sinks::ostream_sink_mt>(text_);
    spdlog::set_default_logger(std::make_shared<spdlog::logger>("test", std::move(sink)));
  }
  ~LogText() { spdlog::set_default_logger(before_); }
  std::string str() const { return text_.str(); }

 private:
  std::shared_ptr<spdlog::logger> before_;
  std::ostringstream text_;
};

/// TaskBody that goes on until it is stopped, or resumed by the test.
struct Held {
  Task<Result<void>> operator()(RunningTask& running) {
    this->running = &running;
    co_await suspend([this](Resume go_on) { resume = std::move(go_on); });
    if (running.progress().was_cancelled()) co_return fail(ErrorCode::failed, "Stopped.");
    co_return Result<void>();
  }
  /// It keeps the context running as long as it is there.
  void go_on() { std::exchange(resume, nullptr)(); }

  RunningTask* running = nullptr;
  Resume resume;
};

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
  EXPECT_EQ(noted().state, TaskState::cancelled);
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

/// One account's work, as much as may run at once and one more.
class TaskTurnsTest : public TaskRunnerTest {
 protected:
  static constexpr std::size_t kAll = TaskRunner::kMostOnDisks + 1;

  void start_all() {
    for (Held& one : held_) {
      start([&one](RunningTask& running) { return one(running); }, reason_);
    }
    run_until([&] { return begun() == kAll - 1 && all_noted().size() == kAll; });
  }
  std::size_t begun() const {
    return static_cast<std::size_t>(std::ranges::count_if(held_, &is_begun));
  }
  std::size_t count(TaskState state) {
    return static_cast<std::size_t>(
        std::ranges::count(all_noted(), state, &catalog::TaskRecord::state));
  }
  static bool is_begun(const Held& one) { return one.running != nullptr; }
  void end_all() {
    run_until([&] {
      for (Held& one : held_) {
        if (one.resume) one.go_on();
      }
      return ended_ == started_;
    });
    run_all();
  }

  std::array<Held, kAll> held_;
  CancelReason reason_;
};

TEST_F(TaskTurnsTest, OneTooManyWaitsUntilAnotherEnds) {
  start_all();
  EXPECT_EQ(count(TaskState::running), kAll - 1);
  EXPECT_EQ(count(TaskState::waiting), 1u);
  std::ranges::find_if(held_, &is_begun)->go_on();
  run_until([&] { return begun() == kAll && count(TaskState::waiting) == 0; });
  EXPECT_EQ(count(TaskState::running), kAll - 1);
  EXPECT_EQ(count(TaskState::done), 1u);
  end_all();
  EXPECT_EQ(count(TaskState::done), kAll);
}

TEST_F(TaskTurnsTest, OneThatWaitedBeginsThoughThatCannotBeNoted) {
  TasksNotedOnce once(catalog_->tasks());
  task_runner_.emplace(once, *background_);
  start_all();
  const LogText log;
  std::ranges::find_if(held_, &is_begun)->go_on();
  run_until([&] { return log.str().contains("broken"); });
  context_.poll();
  ASSERT_EQ(begun(), kAll);
  end_all();
  EXPECT_EQ(ended_, started_);
}

TEST_F(TaskTurnsTest, AnotherAccountsBeginsAtOnce) {
  start_all();
  Held other;
  auto task = this->task();
  task.account = add_account("bob");
  start(task, TaskLoad::disks, [&other](RunningTask& running) { return other(running); });
  run_until([&] { return is_begun(other); });
  EXPECT_EQ(begun(), kAll - 1);
  other.go_on();
  end_all();
}

TEST_F(TaskTurnsTest, WhatKeepsServersBusyBeginsAtOnce) {
  start_all();
  Held other;
  start(task(), TaskLoad::servers, [&other](RunningTask& running) { return other(running); });
  run_until([&] { return is_begun(other); });
  EXPECT_EQ(begun(), kAll - 1);
  other.go_on();
  end_all();
}

TEST_F(TaskTurnsTest, WhatWaitsIsStoppedWithoutBeginning) {
  bool is_forbidden = false;
  reason_ = [&is_forbidden]() -> Task<std::optional<Error>> {
    if (!is_forbidden) co_return std::nullopt;
    co_return Error{ErrorCode::forbidden, "Not any more."};
  };
  start_all();
  is_forbidden = true;
  run_until([&] { return result_.has_value(); });
  EXPECT_EQ(result_->error(), (Error{ErrorCode::forbidden, "Not any more."}));
  EXPECT_EQ(begun(), kAll - 1);
  EXPECT_EQ(count(TaskState::cancelled), 1u);
  end_all();
  EXPECT_EQ(begun(), kAll - 1);
}

TEST_F(TaskTurnsTest, TheEndOfTheServerStopsWhatWaits) {
  start_all();
  task_runner_->interrupt_all();
  run_until([&] { return result_.has_value(); });
  EXPECT_EQ(count(TaskState::interrupted), 1u);
  end_all();
  EXPECT_EQ(begun(), kAll - 1);
  EXPECT_EQ(count(TaskState::interrupted), kAll);
}

}  // namespace
}  // namespace coffer::core
