#include "catalog/tasks.h"

#include <algorithm>
#include <atomic>
#include <stdexcept>
#include <thread>

#include "async/run.h"
#include "catalog/test_catalog.h"

namespace coffer::catalog {
namespace {

class TasksTest : public CatalogTest {
 protected:
  void SetUp() override {
    CatalogTest::SetUp();
    ada_ = add_account("ada").id;
  }
  Tasks& tasks() { return catalog_->tasks(); }
  TaskId begin(const std::string& from = "a", TaskKind kind = TaskKind::copy) {
    return run(tasks().begin(NewTask{ada_, kind, from, "to"})).value();
  }
  TaskRecord find(const TaskId& id) { return run(tasks().find(ada_, id)).value(); }
  AccountId ada_;
};
COFFER_ON_BOTH_DATABASES(TasksTest);

TEST_P(TasksTest, BeginsRunningWithWhatWasGiven) {
  const std::string from = "It's \"mine\"/:a %_\\/ü漢";
  for (const auto kind : {TaskKind::copy, TaskKind::move, TaskKind::remove}) {
    const auto task = find(begin(from, kind));
    EXPECT_EQ(task.id.value.size(), 32u);
    EXPECT_EQ(task.account, ada_);
    EXPECT_EQ(task.kind, kind);
    EXPECT_EQ(task.from, from);
    EXPECT_EQ(task.to, "to");
    EXPECT_EQ(task.state, TaskState::running);
    EXPECT_EQ(task.bytes_done + task.bytes_total + task.items_done + task.items_total, 0u);
    EXPECT_EQ(task.error + task.left_over, "");
    EXPECT_EQ(task.created_at, task.updated_at);
  }
  EXPECT_EQ(run(tasks().begin(NewTask{AccountId{1}, TaskKind::copy, "", ""})).error().code,
            ErrorCode::not_found);
}

TEST_P(TasksTest, IsFoundByItsOwnerAlone) {
  const auto bob = add_account("bob").id;
  const auto id = begin();
  EXPECT_EQ(run(tasks().find(bob, id)).error().code, ErrorCode::not_found);
  EXPECT_TRUE(run(tasks().list(bob)).value().empty());
}

TEST_P(TasksTest, ShowsTheLastReport) {
  const auto id = begin();
  const auto other = open();
  ASSERT_TRUE(run(tasks().report(id, Progress{1, 9, 0, 2})));
  ASSERT_TRUE(run(tasks().report(id, Progress{5'000'000'000'000, 9'000'000'000'000, 1, 2})));
  const auto task = run(other->tasks().find(ada_, id)).value();
  EXPECT_EQ(task.bytes_done, 5'000'000'000'000u);
  EXPECT_EQ(task.bytes_total, 9'000'000'000'000u);
  EXPECT_EQ(task.items_done, 1u);
  EXPECT_EQ(task.items_total, 2u);
  EXPECT_GT(task.updated_at, task.created_at);
}

TEST_P(TasksTest, ManyReportAtOnce) {
  const auto other = open();
  std::vector<TaskId> ids;
  for (int i = 0; i < 6; ++i) ids.push_back(begin());
  std::atomic<int> wrong = 0;
  std::vector<std::jthread> threads;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    threads.emplace_back([&, i] {
      auto& reporter = (i % 2 ? *other : *catalog_).tasks();
      for (std::uint64_t n = 1; n <= 50; ++n) {
        if (!run(reporter.report(ids[i], Progress{n * 10 + i, 600, n, 50}))) ++wrong;
      }
    });
  }
  threads.clear();
  EXPECT_EQ(wrong, 0);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    EXPECT_EQ(find(ids[i]).bytes_done, 500 + i);
    EXPECT_EQ(find(ids[i]).items_done, 50u);
  }
}

TEST_P(TasksTest, AnEndedOneStaysAsItEnded) {
  const auto id = begin();
  ASSERT_TRUE(run(tasks().end(id, TaskState::failed, "The disk's full.")));
  EXPECT_EQ(run(tasks().report(id, Progress{1, 1, 1, 1})).error().code, ErrorCode::not_found);
  EXPECT_EQ(run(tasks().end(id, TaskState::done, "")).error().code, ErrorCode::not_found);
  const auto task = find(id);
  EXPECT_EQ(task.state, TaskState::failed);
  EXPECT_EQ(task.error, "The disk's full.");
  EXPECT_EQ(task.bytes_done, 0u);
  EXPECT_THROW(run(tasks().end(id, TaskState::running, "")), std::logic_error);
}

TEST_P(TasksTest, OnlyADoneOneLeavesNothingOver) {
  for (const auto state : {TaskState::done, TaskState::failed, TaskState::cancelled}) {
    const auto id = begin();
    ASSERT_TRUE(run(tasks().set_left_over(id, "to/it's")));
    EXPECT_EQ(find(id).left_over, "to/it's");
    ASSERT_TRUE(run(tasks().end(id, state, "")));
    EXPECT_EQ(find(id).state, state);
    EXPECT_EQ(find(id).left_over, state == TaskState::done ? "" : "to/it's");
    ASSERT_TRUE(run(tasks().set_left_over(id, "")));
    EXPECT_EQ(find(id).left_over, "");
  }
  EXPECT_EQ(run(tasks().set_left_over(TaskId{"none"}, "")).error().code, ErrorCode::not_found);
}

TEST_P(TasksTest, ListsTheNewestFirstAndNotAllOfThem) {
  std::vector<TaskId> ids;
  for (std::size_t i = 0; i < Tasks::kLongestList + 2; ++i) ids.push_back(begin());
  std::ranges::reverse(ids);
  const auto listed = run(tasks().list(ada_)).value();
  ASSERT_EQ(listed.size(), Tasks::kLongestList);
  for (std::size_t i = 0; i < listed.size(); ++i) EXPECT_EQ(listed[i].id, ids[i]);
}

TEST_P(TasksTest, AStartInterruptsWhatRanAndNamesWhatItLeft) {
  const auto clean = begin();
  const auto messy = begin("b", TaskKind::move);
  const auto failed = begin("c");
  ASSERT_TRUE(run(tasks().set_left_over(messy, "to/b")));
  ASSERT_TRUE(run(tasks().set_left_over(failed, "to/c")));
  ASSERT_TRUE(run(tasks().end(failed, TaskState::failed, "no")));
  catalog_ = open();
  const auto left = run(tasks().interrupt_running()).value();
  ASSERT_EQ(left.size(), 1u);
  EXPECT_EQ(left[0].id, messy);
  EXPECT_EQ(left[0].account, ada_);
  EXPECT_EQ(left[0].left_over, "to/b");
  EXPECT_EQ(left[0].state, TaskState::interrupted);
  EXPECT_EQ(find(clean).state, TaskState::interrupted);
  EXPECT_EQ(find(messy).state, TaskState::interrupted);
  EXPECT_EQ(find(failed).state, TaskState::failed);
  EXPECT_TRUE(run(tasks().interrupt_running()).value().empty());
}

TEST_P(TasksTest, ForgetsWhatEndedBefore) {
  const auto running = begin();
  const auto ended = begin();
  ASSERT_TRUE(run(tasks().end(ended, TaskState::cancelled, "")));
  const auto later = begin();
  ASSERT_TRUE(run(tasks().end(later, TaskState::done, "")));
  ASSERT_TRUE(run(tasks().forget_older_than(find(later).updated_at)));
  EXPECT_EQ(run(tasks().find(ada_, ended)).error().code, ErrorCode::not_found);
  EXPECT_EQ(find(running).state, TaskState::running);
  EXPECT_EQ(find(later).state, TaskState::done);
}

TEST_P(TasksTest, GoWithTheirAccount) {
  const auto id = begin();
  ASSERT_TRUE(run(catalog_->accounts().remove(ada_)));
  EXPECT_TRUE(run(tasks().list(ada_)).value().empty());
  EXPECT_EQ(run(tasks().report(id, Progress{})).error().code, ErrorCode::not_found);
}

}  // namespace
}  // namespace coffer::catalog
