#include "catalog/selections.h"

#include <algorithm>
#include <ranges>

#include "async/run.h"
#include "catalog/database.h"
#include "catalog/migrations.h"
#include "catalog/testing/test_catalog.h"
#include "sql/connection.h"

namespace coffer::catalog {
namespace {

class SelectionsTest : public CatalogTest {
 protected:
  using Items = std::vector<std::string>;

  void SetUp() override {
    CatalogTest::SetUp();
    ada_ = add_account("ada").id;
  }
  Selections& selections() { return catalog_->selections(); }
  Result<Selection> add(Items items, std::optional<SelectionId> to = {},
                        const std::string& folder = "") {
    return run(selections().add(ada_, std::move(to), folder, std::move(items)));
  }
  Items part(const SelectionId& id, std::uint64_t number) {
    return run(selections().part(ada_, id, number)).value();
  }
  bool is_there(const SelectionId& id) { return !part(id, 0).empty(); }
  static Items numbers(std::size_t count) {
    Items items;
    for (std::size_t i = 0; i < count; ++i) items.push_back(std::to_string(i));
    return items;
  }
  TaskId begin(NewTask task) {
    const TaskId id = Tasks::new_id();
    task.account = ada_;
    const auto noted = run(catalog_->tasks().note(id, std::move(task)));
    return noted ? id : TaskId{};
  }
  NewTask task_of(const SelectionId& id) {
    NewTask task;
    task.selection = id;
    return task;
  }
  void end(const TaskId& id, TaskState state) {
    ASSERT_TRUE(run(catalog_->tasks().end(ada_, id, TaskEnd{state})));
  }
  AccountId ada_;
};
COFFER_ON_BOTH_DATABASES(SelectionsTest);

TEST_P(SelectionsTest, AreReadInPartsInTheirOrder) {
  const std::string name = "It's \"mine\"/:a %_\\/ü漢";
  const auto made = add({name, "b"}, {}, "a folder/in it").value();
  EXPECT_EQ(made.count, 2U);
  EXPECT_EQ(add(numbers(2'500), made.id).value().count, 2'502U);
  EXPECT_EQ(part(made.id, 0), (Items{"a folder/in it/" + name, "a folder/in it/b"}));
  EXPECT_EQ(part(made.id, 1).size(), 1'000U);
  const Items all = numbers(2'500);
  EXPECT_EQ(part(made.id, 3), Items(all.begin() + 2'000, all.end()));
  EXPECT_TRUE(part(made.id, 4).empty());
}

TEST_P(SelectionsTest, APartHasABoundedSize) {
  const auto made = add(Items(100, std::string(4'000, 'x'))).value();
  EXPECT_EQ(part(made.id, 0).size(), 16U);
  EXPECT_EQ(part(made.id, 6).size(), 4U);
}

TEST_P(SelectionsTest, AreOfTheirAccountAlone) {
  const auto made = add({"a"}).value();
  const AccountId bob = add_account("bob").id;
  EXPECT_TRUE(run(selections().part(bob, made.id, 0)).value().empty());
  EXPECT_EQ(run(selections().add(bob, made.id, "", {"b"})).error().code, ErrorCode::not_found);
  EXPECT_EQ(run(selections().add(AccountId{1}, {}, "", {"b"})).error().code, ErrorCode::not_found);
  ASSERT_TRUE(run(catalog_->accounts().remove(ada_)));
  EXPECT_FALSE(is_there(made.id));
}

TEST_P(SelectionsTest, HaveOnlySoManyItems) {
  const auto made = add(numbers(Selections::kMostItems)).value();
  EXPECT_EQ(add({"more"}, made.id).error().code, ErrorCode::invalid);
  EXPECT_EQ(add(Items(9'000, std::string(4'000, 'x'))).error().code, ErrorCode::invalid);
  EXPECT_TRUE(is_there(made.id));
}

TEST_P(SelectionsTest, TheOldestThatWaitsGoesForANewOne) {
  std::vector<SelectionId> ids;
  for (std::size_t i = 0; i <= Selections::kMostWaiting; ++i) ids.push_back(add({"a"}).value().id);
  EXPECT_FALSE(is_there(ids[0]));
  ASSERT_TRUE(add({"b"}, ids[1]));
  ids.push_back(add({"a"}).value().id);
  EXPECT_TRUE(is_there(ids[1])) << "it was added to meanwhile";
  EXPECT_FALSE(is_there(ids[2]));
}

TEST_P(SelectionsTest, ThoseThatNobodyUsedAreForgotten) {
  const auto waiting = add({"a"}).value();
  const auto used = add({"a"}).value();
  begin(task_of(used.id));
  ASSERT_TRUE(run(selections().forget_unused(waiting.expires_at - Selections::kKept)));
  EXPECT_TRUE(is_there(waiting.id));
  ASSERT_TRUE(run(selections().forget_unused(now())));
  EXPECT_FALSE(is_there(waiting.id));
  EXPECT_TRUE(is_there(used.id));
}

TEST_P(SelectionsTest, ATaskTakesOneOver) {
  const auto made = add(numbers(1'500)).value();
  const TaskId id = begin(task_of(made.id));
  EXPECT_EQ(run(catalog_->tasks().find(ada_, id)).value().source_count, 1'500U);
  EXPECT_EQ(begin(task_of(made.id)), TaskId{}) << "one task has it";
  EXPECT_EQ(add({"more"}, made.id).error().code, ErrorCode::not_found);
  end(id, TaskState::done);
  EXPECT_FALSE(is_there(made.id));
}

TEST_P(SelectionsTest, AnInterruptedTaskKeepsItsItems) {
  NewTask task;
  task.items = {"a", "b"};
  task.sources = {"a", "b"};
  const TaskId id = begin(task);
  EXPECT_EQ(part(SelectionId{id.value}, 0), (Items{"a", "b"}));
  end(id, TaskState::interrupted);
  EXPECT_TRUE(is_there(SelectionId{id.value}));
  ASSERT_TRUE(run(catalog_->tasks().drop(ada_, id)));
  EXPECT_FALSE(is_there(SelectionId{id.value}));
}

TEST_P(SelectionsTest, ATaskGoesOnWithTheItemsOfAnInterruptedOne) {
  NewTask task;
  task.items = task.sources = {"a", "b", "c"};
  const TaskId first = begin(task);
  Progress progress;
  progress.sources_done = 2;
  ASSERT_TRUE(run(catalog_->tasks().report(ada_, first, progress)));
  NewTask again;
  again.restarts = first;
  again.sources_done = 2;
  EXPECT_EQ(begin(again), TaskId{}) << "it runs";
  ASSERT_TRUE(run(catalog_->tasks().interrupt_ended()));
  EXPECT_EQ(run(catalog_->tasks().find(ada_, first)).value().sources_done, 2U);
  const TaskId second = begin(again);
  EXPECT_EQ(run(selections().of_task(ada_, second)).value().id, SelectionId{first.value});
  const auto found = run(catalog_->tasks().find(ada_, second)).value();
  EXPECT_EQ(found.source_count, 3U);
  EXPECT_EQ(found.sources_done, 2U);
  EXPECT_EQ(run(catalog_->tasks().find(ada_, first)).error().code, ErrorCode::not_found);
  EXPECT_EQ(begin(again), TaskId{}) << "another has its items";
  end(second, TaskState::done);
  EXPECT_EQ(run(selections().of_task(ada_, second)).error().code, ErrorCode::not_found);
}

TEST_P(SelectionsTest, ItsItemsWereChosenWhenTheFirstTaskBegan) {
  NewTask task;
  task.items = {"a"};
  const TaskId first = begin(task);
  const auto chosen_at = run(selections().of_task(ada_, first)).value().chosen_at;
  EXPECT_NE(chosen_at, Timestamp());
  end(first, TaskState::interrupted);
  NewTask again;
  again.restarts = first;
  EXPECT_EQ(run(selections().of_task(ada_, begin(again))).value().chosen_at, chosen_at);
}

// What it copied beside what was there would be there twice.
TEST_P(SelectionsTest, CopiesOfEarlierVersionsThatKeepBothDoNotBeginAgain) {
  const auto interrupted = [&](TaskKind kind, OnConflict choice, std::uint64_t done) {
    NewTask task;
    task.kind = kind;
    task.on_conflict = choice;
    task.items = {"a", "b"};
    const TaskId id = begin(task);
    Progress progress;
    progress.sources_done = done;
    EXPECT_TRUE(run(catalog_->tasks().end(ada_, id, {TaskState::interrupted, progress})));
    return id;
  };
  const TaskId copy = interrupted(TaskKind::copy, OnConflict::keep_both, 0);
  const TaskId noted = interrupted(TaskKind::copy, OnConflict::keep_both, 1);
  const TaskId move = interrupted(TaskKind::move, OnConflict::keep_both, 0);
  const TaskId skips = interrupted(TaskKind::copy, OnConflict::skip, 0);
  catalog_.reset();
  const auto database = Database::open(url_).value();
  auto job = [](sql::Connection& sql) -> Result<void> {
    const auto migration = std::ranges::find(migrations(), 36, &Migration::version);
    for (const auto statement : std::views::split(migration->sql, std::string_view(";\n"))) {
      if (!statement.empty()) sql.run_once(std::string(statement.begin(), statement.end()));
    }
    return {};
  };
  ASSERT_TRUE(run(database->run(Lane::write, Turn::server(), job)));
  catalog_ = open();
  EXPECT_FALSE(run(selections().of_task(ada_, copy)));
  EXPECT_EQ(run(catalog_->tasks().find(ada_, copy)).value().sources_done, 2U);
  for (const TaskId& id : {noted, move, skips}) EXPECT_TRUE(run(selections().of_task(ada_, id)));
}

TEST_P(SelectionsTest, WhatAnInterruptedTaskLeftIsStillCleared) {
  NewTask task;
  task.items = {"a"};
  task.orphan = "to/left";
  const TaskId first = begin(task);
  end(first, TaskState::interrupted);
  NewTask again;
  again.restarts = first;
  begin(again);
  EXPECT_EQ(run(catalog_->tasks().orphans(ada_)).value().size(), 1U);
}

TEST_P(SelectionsTest, AListShowsOnlyTheFirstItems) {
  NewTask task;
  task.items = task.sources = Items(300, std::string(100, 'x'));
  task.source_root = "folder";
  const auto found = run(catalog_->tasks().find(ada_, begin(task))).value();
  EXPECT_EQ(found.source_count, 300U);
  EXPECT_EQ(found.sources.size(), 40U);
  EXPECT_EQ(found.source_root, "folder");
}

TEST_P(SelectionsTest, ItemsOfTasksHaveALimitTogether) {
  const auto fill = [&](const TaskId& id) {
    change("UPDATE selections SET size_bytes = 200000000 WHERE task_id = '" + id.value + "'");
  };
  NewTask task;
  task.items = {"a"};
  const TaskId interrupted = begin(task);
  const TaskId running = begin(task);
  end(interrupted, TaskState::interrupted);
  fill(interrupted);
  const TaskId next = begin(task);
  EXPECT_TRUE(is_there(SelectionId{interrupted.value}));
  fill(next);
  begin(task);
  EXPECT_FALSE(is_there(SelectionId{interrupted.value}));
  fill(running);
  EXPECT_EQ(begin(task), TaskId{});
}

}  // namespace
}  // namespace coffer::catalog
