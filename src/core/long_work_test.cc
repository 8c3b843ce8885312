#include "core/long_work.h"

#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <utility>

#include "async/run.h"
#include "async/suspend.h"
#include "base/random.h"
#include "catalog/catalog.h"

namespace coffer::core {
namespace {

namespace fs = std::filesystem;
using catalog::TaskState;

/// A catalog with one account, and what runs work in the background.
class LongWorkTest : public testing::Test {
 protected:
  LongWorkTest() : folder_(fs::temp_directory_path() / ("coffer-work-" + random_hex(8))) {
    fs::create_directory(folder_);
    catalog_ = catalog::Catalog::open("sqlite://" + (folder_ / "catalog").string()).value();
    catalog::NewAccount account;
    account.name = "ada";
    account_ = coffer::run(catalog_->accounts().add(std::move(account))).value().id;
    background_.emplace(context_.get_executor());
    long_work_.emplace(catalog_->tasks(), *background_);
  }
  ~LongWorkTest() override {
    catalog_.reset();
    fs::remove_all(folder_);
  }

  /// Begins the work; the end shows in `result_`.
  void start(LongWork::Work work, Objection objection = {}) {
    asio::co_spawn(context_, long_work_->run(task(), std::move(work), std::move(objection)),
                   [this](std::exception_ptr error, Result<void> result) {
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
  std::optional<LongWork> long_work_;
  std::optional<Result<void>> result_;
  std::exception_ptr thrown_;
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

/// Work that goes on until it is told to stop, or resumed by the test.
struct Held {
  Task<Result<void>> operator()(Job& job) {
    this->job = &job;
    co_await suspend([this](Resume go_on) { resume = std::move(go_on); });
    if (job.progress().was_cancelled()) co_return fail(ErrorCode::failed, "Stopped.");
    co_return Result<void>();
  }
  /// It keeps the context running as long as it is there.
  void go_on() { std::exchange(resume, nullptr)(); }

  Job* job = nullptr;
  Resume resume;
};

TEST_F(LongWorkTest, ReturnsWhatTheWorkReturnedAndNotesIt) {
  start([](Job& job) -> Task<Result<void>> {
    auto noted = co_await job.note_left_over("b.part");
    if (!noted) co_return noted;
    job.progress().found(1, 7);
    job.progress().wrote(7);
    job.progress().completed_item();
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
  EXPECT_EQ(end.left_over, "");
}

TEST_F(LongWorkTest, WhatEndsAtOnceIsNoTask) {
  for (const auto& result : {Result<void>(), Result<void>(fail(ErrorCode::exists, "Taken."))}) {
    result_.reset();
    start([&result](Job&) -> Task<Result<void>> { co_return result; });
    run_all();
    ASSERT_TRUE(result_);
    EXPECT_EQ(result_->has_value(), result.has_value());
    EXPECT_TRUE(coffer::run(catalog_->tasks().list(account_)).value().empty());
  }
}

TEST_F(LongWorkTest, WhatLastsForAMomentIsATask) {
  Held held;
  start([&held](Job& job) { return held(job); });
  run_until([&] { return held.resume && !all_noted().empty(); });
  EXPECT_EQ(noted().state, TaskState::running);
  EXPECT_EQ(noted().from, "a");
  held.go_on();
  run_all();
  EXPECT_EQ(noted().state, TaskState::done);
}

TEST_F(LongWorkTest, AFailureIsNotedWithItsReason) {
  start([](Job& job) -> Task<Result<void>> {
    (void)co_await job.note_left_over("b.part");
    co_return fail(ErrorCode::timed_out, "Too slow.");
  });
  run_all();
  ASSERT_TRUE(result_);
  ASSERT_FALSE(*result_);
  EXPECT_EQ(result_->error().code, ErrorCode::timed_out);
  EXPECT_EQ(noted().state, TaskState::failed);
  EXPECT_EQ(noted().error, "Too slow.");
  EXPECT_EQ(noted().left_over, "b.part");
}

TEST_F(LongWorkTest, WhatIsThrownEndsTheTaskAndNotTheProgram) {
  start([](Job& job) -> Task<Result<void>> {
    (void)co_await job.note_left_over("b.part");
    throw std::runtime_error("broken");
    co_return Result<void>();
  });
  run_all();
  ASSERT_TRUE(result_);
  EXPECT_FALSE(*result_);
  EXPECT_EQ(noted().state, TaskState::failed);
}

TEST_F(LongWorkTest, ProgressAndLeftOversAreNotedWhileItRuns) {
  Held held;
  start([&held](Job& job) { return held(job); });
  run_until([&] { return held.resume != nullptr; });
  ASSERT_TRUE(coffer::run(held.job->note_left_over("b.part")));
  EXPECT_EQ(noted().state, TaskState::running);
  EXPECT_EQ(noted().left_over, "b.part");
  held.job->progress().found(2, 10);
  held.job->progress().wrote(5);
  run_until([&] { return noted().bytes_done == 5; });
  EXPECT_EQ(noted().bytes_total, 10u);
  EXPECT_FALSE(result_);
  held.go_on();
  run_all();
  EXPECT_TRUE(*result_);
  EXPECT_EQ(noted().left_over, "");
}

TEST_F(LongWorkTest, WhoWaitsIsAnsweredThoughNothingCanBeNoted) {
  BrokenTasks broken(catalog_->tasks());
  long_work_.emplace(broken, *background_);
  Held held;
  start([&held](Job& job) { return held(job); });
  run_until([&] { return held.resume != nullptr && broken.reports >= 2; });
  EXPECT_FALSE(result_);
  held.go_on();
  run_all();
  ASSERT_TRUE(result_);
  EXPECT_TRUE(*result_);
  EXPECT_EQ(thrown_, nullptr);
  EXPECT_EQ(broken.ends, 1);
}

TEST_F(LongWorkTest, AnObjectionStopsItAndIsWhatItFailsWith) {
  Held held;
  int asked = 0;
  Objection objection = [&asked]() -> Task<std::optional<Error>> {
    if (++asked < 2) co_return std::nullopt;
    co_return Error{ErrorCode::forbidden, "Not any more."};
  };
  start([&held](Job& job) { return held(job); }, std::move(objection));
  run_until([&] { return held.resume && held.job->progress().was_cancelled(); });
  EXPECT_EQ(asked, 2);
  EXPECT_FALSE(result_);
  held.go_on();
  run_all();
  EXPECT_EQ(result_->error(), (Error{ErrorCode::forbidden, "Not any more."}));
  EXPECT_EQ(noted().state, TaskState::cancelled);
  EXPECT_EQ(noted().error, "Not any more.");
}

TEST_F(LongWorkTest, AnObjectionAfterItsLastStepChangesNothing) {
  Objection objection = []() -> Task<std::optional<Error>> {
    co_return Error{ErrorCode::forbidden, "Not any more."};
  };
  Resume resume;
  bool was_cancelled = false;
  auto work = [&](Job& job) -> Task<Result<void>> {
    co_await suspend([&](Resume go_on) { resume = std::move(go_on); });
    was_cancelled = job.progress().was_cancelled();
    co_return Result<void>();
  };
  start(work, std::move(objection));
  run_until([&] { return resume && !all_noted().empty(); });
  std::exchange(resume, nullptr)();
  run_all();
  EXPECT_TRUE(was_cancelled);
  EXPECT_TRUE(*result_);
  EXPECT_EQ(noted().state, TaskState::done);
}

TEST_F(LongWorkTest, AnObjectionThatCannotBeAskedForIsAskedForAgain) {
  Held held;
  int asked = 0;
  Objection objection = [&asked]() -> Task<std::optional<Error>> {
    if (++asked < 2) throw std::runtime_error("broken");
    co_return Error{ErrorCode::forbidden, "Not any more."};
  };
  start([&held](Job& job) { return held(job); }, std::move(objection));
  run_until([&] { return held.resume && held.job->progress().was_cancelled(); });
  held.go_on();
  run_all();
  EXPECT_EQ(result_->error().code, ErrorCode::forbidden);
}

TEST_F(LongWorkTest, TheEndOfTheServerInterruptsIt) {
  Held held;
  start([&held](Job& job) { return held(job); });
  run_until([&] { return held.resume && !all_noted().empty(); });
  long_work_->interrupt_all();
  held.go_on();
  run_all();
  EXPECT_EQ(noted().state, TaskState::interrupted);
  // What begins later stops at once too.
  result_.reset();
  bool was_cancelled = false;
  start([&](Job& job) -> Task<Result<void>> {
    was_cancelled = job.progress().was_cancelled();
    co_return fail(ErrorCode::failed, "Stopped.");
  });
  run_all();
  EXPECT_TRUE(was_cancelled);
}

}  // namespace
}  // namespace coffer::core
