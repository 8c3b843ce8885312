#include <algorithm>
#include <array>
#include <set>

#include "core/tasks/testing/task_fixture.h"

namespace coffer::core {
namespace {

using catalog::TaskState;

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
  EXPECT_EQ(count(TaskState::failed), 1u);
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
