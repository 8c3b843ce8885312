#include <gtest/gtest.h>

#include "core/tasks/task_runner.h"

namespace coffer::core {
namespace {

TEST(TaskFiguresTest, AddsStepsUp) {
  TaskFigures figures;
  TransferProgress first;
  first.found(2, 100);
  first.wrote(60);
  first.completed_item();
  figures.add(first);
  TransferProgress second;
  second.found(3, 50);
  second.wrote(10);
  const auto now = figures.read(second);
  EXPECT_EQ(now.bytes_done, 70U);
  EXPECT_EQ(now.items_done, 1U);
  // What the first one did not do will not be done.
  EXPECT_EQ(now.bytes_total, 110U);
  EXPECT_EQ(now.items_total, 4U);
}

TEST(TaskFiguresTest, TellsWhatIsExpectedUntilMoreIsFound) {
  TaskFigures figures;
  figures.expect(5, 1000);
  TransferProgress step;
  step.found(1, 10);
  EXPECT_EQ(figures.read(step).bytes_total, 1000U);
  EXPECT_EQ(figures.read(step).items_total, 5U);
  step.found(9, 2000);
  EXPECT_EQ(figures.read(step).bytes_total, 2010U);
  EXPECT_EQ(figures.read(step).items_total, 10U);
}

TEST(TaskFiguresTest, NamesTheFirstThatWereSkippedOnce) {
  TaskFigures figures;
  const TransferProgress step;
  EXPECT_TRUE(figures.read(step).skipped.empty());
  for (std::size_t i = 0; i < TaskFigures::kMostSkipped + 5; ++i)
    figures.skip("a", {ErrorCode::exists, "taken"});
  const auto now = figures.read(step);
  EXPECT_EQ(now.skipped_count, TaskFigures::kMostSkipped + 5);
  EXPECT_EQ(now.skipped.size(), TaskFigures::kMostSkipped);
  EXPECT_TRUE(figures.read(step).skipped.empty());
  EXPECT_EQ(figures.read_last(step).skipped.size(), TaskFigures::kMostSkipped);
}

TEST(TaskFiguresTest, WhatItNamesHasABoundedLength) {
  TaskFigures figures;
  const TransferProgress step;
  const std::string reason(10'000, 'x');
  for (int i = 0; i < 50; ++i) figures.skip(std::string(4000, 'a'), {ErrorCode::failed, reason});
  const auto now = figures.read(step);
  EXPECT_EQ(now.skipped_count, 50U);
  std::size_t bytes = 0;
  for (const auto& item : now.skipped) bytes += item.path.size() + item.reason.size();
  EXPECT_LE(bytes, TaskFigures::kMostSkippedBytes + 500);
  EXPECT_EQ(now.skipped.front().reason.size(), 500U);
}

}  // namespace
}  // namespace coffer::core
