#include "async/pool.h"

#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>
#include <thread>

#include "async/run.h"

namespace coffer {
namespace {

Task<std::pair<std::thread::id, std::thread::id>> where_work_runs(Pool& pool) {
  const auto work = co_await pool.run([] { return std::this_thread::get_id(); });
  co_return std::pair{work, std::this_thread::get_id()};
}

TEST(Pool, WorksElsewhereAndResumesHere) {
  Pool pool(2);
  const auto [work, resumed] = run(where_work_runs(pool));
  EXPECT_NE(work, std::this_thread::get_id());
  EXPECT_EQ(resumed, std::this_thread::get_id());
}

TEST(Pool, PassesMoveOnlyValues) {
  Pool pool(1);
  EXPECT_EQ(*run(pool.run([] { return std::make_unique<int>(5); })), 5);
}

TEST(Pool, PassesExceptions) {
  Pool pool(1);
  EXPECT_THROW(run(pool.run([] { throw std::runtime_error("broken"); })), std::runtime_error);
}

TEST(Pool, WhatWasStartedEndsWhenAnotherThreadSaysSo) {
  Pool other(1);
  Pool pool(1);
  bool ended = false;
  run(pool.start([&](Resume& resume) {
    other.post([&ended, resume = std::move(resume)]() mutable {
      ended = true;
      resume();
    });
  }));
  EXPECT_TRUE(ended);
}

TEST(Pool, WhatCannotBeStartedThrows) {
  Pool pool(1);
  EXPECT_THROW(run(pool.start([](Resume&) { throw std::runtime_error("broken"); })),
               std::runtime_error);
}

TEST(Pool, RunsLaterAndBeforeItsEnd) {
  bool ran = false;
  {
    Pool pool(1);
    pool.post_after(std::chrono::milliseconds(1), [&] { ran = true; });
  }
  EXPECT_TRUE(ran);
}

}  // namespace
}  // namespace coffer
