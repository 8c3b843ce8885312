#include "catalog/tasks.h"

#include <algorithm>
#include <atomic>
#include <stdexcept>
#include <thread>

#include "async/run.h"
#include "catalog/testing/test_catalog.h"

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
    const TaskId id = Tasks::new_id();
    note(id, NewTask{ada_, kind, from, "to"});
    return id;
  }
  void note(const TaskId& id, NewTask task) {
    if (!run(tasks().note(id, std::move(task)))) throw std::runtime_error("not noted");
  }
  void note_orphan(const TaskId& id, const std::string& path) {
    note(id, NewTask{ada_, TaskKind::copy, "a", "to", path});
  }
  std::optional<ErrorCode> end(const TaskId& id, TaskState state, const std::string& error = "") {
    TaskEnd end{.state = state, .progress = {}, .error = error};
    if (state == TaskState::failed) end.error_code = ErrorCode::exists;
    const auto ended = run(tasks().end(ada_, id, std::move(end)));
    return ended ? std::nullopt : std::optional(ended.error().code);
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
    EXPECT_EQ(task.error + task.orphan, "");
    EXPECT_EQ(task.created_at, task.updated_at);
  }
  const NewTask of_nobody{AccountId{1}, TaskKind::copy, "", ""};
  EXPECT_EQ(run(tasks().note(Tasks::new_id(), of_nobody)).error().code, ErrorCode::not_found);
}

TEST_P(TasksTest, AnEndThatTheDatabaseDoesNotTakeIsWrittenLater) {
  const auto done = begin();
  const auto failed = begin();
  change("ALTER TABLE tasks RENAME TO tasks_away");
  EXPECT_EQ(end(done, TaskState::done), std::nullopt);
  EXPECT_EQ(end(failed, TaskState::failed, "No."), std::nullopt);
  change("ALTER TABLE tasks_away RENAME TO tasks");
  // A test that never ends is a failed one.
  while (find(done).state == TaskState::running || find(failed).state == TaskState::running) {
    std::this_thread::yield();
  }
  EXPECT_EQ(find(done).state, TaskState::done);
  EXPECT_EQ(find(failed).state, TaskState::failed);
  EXPECT_EQ(find(failed).error, "No.");
  EXPECT_EQ(find(failed).error_code, ErrorCode::exists);
  EXPECT_EQ(find(done).error_code, std::nullopt);
}

TEST_P(TasksTest, WhatWasLeftKeepsItsCode) {
  const auto id = begin();
  Progress progress;
  progress.skipped = {{"a/b.txt", "Its name is taken there.", ErrorCode::exists}, {"c", "No."}};
  ASSERT_TRUE(run(tasks().report(ada_, id, progress)));
  const auto skipped = find(id).skipped;
  ASSERT_EQ(skipped.size(), 2u);
  EXPECT_EQ(skipped[0].path + ": " + skipped[0].reason, "a/b.txt: Its name is taken there.");
  EXPECT_EQ(skipped[0].code, ErrorCode::exists);
  EXPECT_EQ(skipped[1].reason, "No.");
  EXPECT_EQ(skipped[1].code, std::nullopt);
}

TEST_P(TasksTest, WhatAnEarlierVersionLeftHasNoCode) {
  const auto id = begin();
  change("UPDATE tasks SET skipped = 'a\tTaken.\n'");
  const auto skipped = find(id).skipped;
  ASSERT_EQ(skipped.size(), 1u);
  EXPECT_EQ(skipped[0].path + ": " + skipped[0].reason, "a: Taken.");
  EXPECT_EQ(skipped[0].code, std::nullopt);
}

TEST_P(TasksTest, WhatIsOwedOfATaskThatIsGoneIsDropped) {
  const auto gone = begin();
  const auto other = begin();
  change("ALTER TABLE tasks RENAME TO tasks_away");
  EXPECT_EQ(end(gone, TaskState::done), std::nullopt);
  EXPECT_EQ(end(other, TaskState::done), std::nullopt);
  change("DELETE FROM tasks_away WHERE id = '" + gone.value + "'");
  change("ALTER TABLE tasks_away RENAME TO tasks");
  while (find(other).state == TaskState::running) std::this_thread::yield();
  EXPECT_EQ(end(gone, TaskState::done), ErrorCode::not_found);
}

TEST_P(TasksTest, EndsWithItsCatalogAlthoughItOwes) {
  const auto id = begin();
  change("ALTER TABLE tasks RENAME TO tasks_away");
  EXPECT_EQ(end(id, TaskState::done), std::nullopt);
  catalog_.reset();
}

TEST_P(TasksTest, NotedOnceMoreItKeepsAllButItsLeftOver) {
  const auto id = begin("a", TaskKind::move);
  ASSERT_TRUE(run(tasks().report(ada_, id, Progress{1, 2, 3, 4})));
  const auto before = find(id);
  note(id, NewTask{ada_, TaskKind::move, "a", "to", "to/it's"});
  const auto after = find(id);
  EXPECT_EQ(after.orphan, "to/it's");
  EXPECT_EQ(after.kind, TaskKind::move);
  EXPECT_EQ(after.bytes_done, 1u);
  EXPECT_EQ(after.items_total, 4u);
  EXPECT_EQ(after.created_at, before.created_at);
  EXPECT_EQ(run(tasks().list(ada_)).value().size(), 1u);
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
  ASSERT_TRUE(run(tasks().report(ada_, id, Progress{1, 9, 0, 2})));
  ASSERT_TRUE(run(tasks().report(ada_, id, Progress{5'000'000'000'000, 9'000'000'000'000, 1, 2})));
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
        if (!run(reporter.report(ada_, ids[i], Progress{n * 10 + i, 600, n, 50}))) ++wrong;
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
  TaskEnd failed{TaskState::failed, Progress{5, 9, 1, 2}, "The disk's full."};
  ASSERT_TRUE(run(tasks().end(ada_, id, std::move(failed))));
  EXPECT_EQ(run(tasks().report(ada_, id, Progress{7, 9, 1, 2})).error().code, ErrorCode::not_found);
  EXPECT_EQ(end(id, TaskState::done), ErrorCode::not_found);
  const auto task = find(id);
  EXPECT_EQ(task.state, TaskState::failed);
  EXPECT_EQ(task.error, "The disk's full.");
  EXPECT_EQ(task.bytes_done, 5u);
  EXPECT_EQ(task.bytes_total, 9u);
  EXPECT_EQ(task.items_done, 1u);
  EXPECT_EQ(task.items_total, 2u);
  EXPECT_THROW(end(id, TaskState::running), std::logic_error);
}

TEST_P(TasksTest, OnlyADoneOneLeavesNothingOver) {
  for (const auto state : {TaskState::done, TaskState::failed, TaskState::cancelled}) {
    const auto id = begin();
    note_orphan(id, "to/it's");
    EXPECT_EQ(find(id).orphan, "to/it's");
    EXPECT_EQ(end(id, state), std::nullopt);
    EXPECT_EQ(find(id).state, state);
    EXPECT_EQ(find(id).orphan, state == TaskState::done ? "" : "to/it's");
  }
}

TEST_P(TasksTest, WhatEndedOnesLeftIsToldUntilItIsGone) {
  const auto bob = add_account("bob").id;
  const auto running = begin();
  const auto failed = begin();
  const auto clean = begin();
  note_orphan(running, "to/1");
  note_orphan(failed, "to/2");
  EXPECT_EQ(end(failed, TaskState::failed), std::nullopt);
  EXPECT_EQ(end(clean, TaskState::failed), std::nullopt);
  for (const auto& whose : {std::optional<AccountId>(), std::optional(ada_)}) {
    const auto left = run(tasks().orphans(whose)).value();
    ASSERT_EQ(left.size(), 1u);
    EXPECT_EQ(left[0].id, failed);
    EXPECT_EQ(left[0].orphan, "to/2");
  }
  EXPECT_TRUE(run(tasks().orphans(bob)).value().empty());
  ASSERT_TRUE(run(tasks().clear_orphan(ada_, failed)));
  EXPECT_TRUE(run(tasks().orphans()).value().empty());
  EXPECT_EQ(find(running).orphan, "to/1");
  EXPECT_EQ(run(tasks().clear_orphan(ada_, TaskId{"none"})).error().code, ErrorCode::not_found);
}

TEST_P(TasksTest, ListsTheNewestFirstAndNotAllOfThem) {
  std::vector<TaskId> ids;
  for (std::size_t i = 0; i < Tasks::kLongestList + 2; ++i) ids.push_back(begin());
  std::ranges::reverse(ids);
  const auto listed = run(tasks().list(ada_)).value();
  ASSERT_EQ(listed.size(), Tasks::kLongestList);
  for (std::size_t i = 0; i < listed.size(); ++i) EXPECT_EQ(listed[i].id, ids[i]);
}

TEST_P(TasksTest, SoManyLiveOnesAreTaken) {
  NewTask task{ada_, TaskKind::copy, "a", "to"};
  task.most_live = 2;
  const auto first = Tasks::new_id();
  note(first, task);
  note(Tasks::new_id(), task);
  EXPECT_EQ(run(tasks().note(Tasks::new_id(), task)).error().code, ErrorCode::rate_limited);
  note(first, task);
  NewTask of_another = task;
  of_another.account = add_account("bob").id;
  note(Tasks::new_id(), of_another);
  EXPECT_EQ(end(first, TaskState::done), std::nullopt);
  note(Tasks::new_id(), task);
}

TEST_P(TasksTest, EndedOnesBeyondTheLimitGo) {
  const auto oldest = begin();
  const auto running = begin();
  EXPECT_EQ(end(oldest, TaskState::done), std::nullopt);
  const auto second = begin();
  EXPECT_EQ(end(second, TaskState::failed), std::nullopt);
  for (std::size_t i = 1; i < kMostEndedTasks; ++i) {
    EXPECT_EQ(end(begin(), TaskState::done), std::nullopt);
  }
  begin();
  EXPECT_EQ(run(tasks().find(ada_, oldest)).error().code, ErrorCode::not_found);
  EXPECT_EQ(find(second).state, TaskState::failed);
  EXPECT_EQ(find(running).state, TaskState::running);
}

TEST_P(TasksTest, WhatALeftItemNeedsStaysWithoutTheRest) {
  const auto left = Tasks::new_id();
  NewTask task{ada_, TaskKind::copy, "a", "to", "to/left"};
  task.sources = {"a", "b"};
  note(left, task);
  EXPECT_EQ(end(left, TaskState::failed), std::nullopt);
  for (std::size_t i = 0; i < kMostEndedTasks; ++i) {
    EXPECT_EQ(end(begin(), TaskState::done), std::nullopt);
  }
  begin();
  EXPECT_EQ(run(tasks().find(ada_, left)).error().code, ErrorCode::not_found);
  const auto orphans = run(tasks().orphans(ada_)).value();
  ASSERT_EQ(orphans.size(), 1u);
  EXPECT_EQ(orphans[0].orphan, "to/left");
  EXPECT_TRUE(orphans[0].sources.empty());
}

TEST_P(TasksTest, AStartInterruptsWhatRan) {
  const auto messy = begin("b", TaskKind::move);
  const auto failed = begin("c");
  note_orphan(messy, "to/b");
  EXPECT_EQ(end(failed, TaskState::failed), std::nullopt);
  catalog_ = open();
  const auto interrupted = run(tasks().interrupt_ended()).value();
  ASSERT_EQ(interrupted.size(), 1u);
  EXPECT_EQ(interrupted[0].id, messy);
  EXPECT_EQ(interrupted[0].account, ada_);
  EXPECT_EQ(interrupted[0].from, "b");
  EXPECT_EQ(interrupted[0].state, TaskState::interrupted);
  EXPECT_EQ(find(messy).state, TaskState::interrupted);
  EXPECT_EQ(find(failed).state, TaskState::failed);
  EXPECT_TRUE(run(tasks().interrupt_ended()).value().empty());
  ASSERT_EQ(run(tasks().orphans()).value().size(), 1u);
  EXPECT_EQ(run(tasks().orphans()).value()[0].orphan, "to/b");
}

TEST_P(TasksTest, AStartEndsWhatHadNoItemLeft) {
  NewTask task;
  task.account = ada_;
  task.items = {"a", "b"};
  const TaskId id = Tasks::new_id();
  ASSERT_TRUE(run(tasks().note(id, task)));
  Progress progress;
  progress.sources_done = 2;
  ASSERT_TRUE(run(tasks().report(ada_, id, progress)));
  EXPECT_TRUE(run(tasks().interrupt_ended()).value().empty());
  EXPECT_EQ(find(id).state, TaskState::done);
  EXPECT_FALSE(run(catalog_->selections().of_task(ada_, id)));
}

TEST_P(TasksTest, ForgetsWhatEndedBefore) {
  const auto running = begin();
  const auto ended = begin();
  EXPECT_EQ(end(ended, TaskState::cancelled), std::nullopt);
  const auto later = begin();
  EXPECT_EQ(end(later, TaskState::done), std::nullopt);
  ASSERT_TRUE(run(tasks().forget_older_than(find(later).updated_at)));
  EXPECT_EQ(run(tasks().find(ada_, ended)).error().code, ErrorCode::not_found);
  EXPECT_EQ(find(running).state, TaskState::running);
  EXPECT_EQ(find(later).state, TaskState::done);
}

TEST_P(TasksTest, GoWithTheirAccount) {
  const auto id = begin();
  ASSERT_TRUE(run(catalog_->accounts().remove(ada_)));
  EXPECT_TRUE(run(tasks().list(ada_)).value().empty());
  EXPECT_EQ(run(tasks().report(ada_, id, Progress{})).error().code, ErrorCode::not_found);
}

TEST_P(TasksTest, OneThatIsToStopIsToldWhenItReports) {
  const TaskId id = Tasks::new_id();
  note(id, NewTask{ada_, TaskKind::copy, "a", "to"});
  EXPECT_FALSE(run(tasks().report(ada_, id, Progress{})).value());
  EXPECT_EQ(run(tasks().stop(ada_, Tasks::new_id())).error().code, ErrorCode::not_found);
  ASSERT_TRUE(run(tasks().stop(ada_, id)));
  EXPECT_TRUE(run(tasks().report(ada_, id, Progress{})).value());
  ASSERT_TRUE(run(tasks().end(ada_, id, TaskEnd{TaskState::cancelled})));
  EXPECT_EQ(run(tasks().stop(ada_, id)).error().code, ErrorCode::conflict);
}

}  // namespace
}  // namespace coffer::catalog
