#include "async/task_group.h"

#include <gtest/gtest.h>

#include <boost/asio/this_coro.hpp>
#include <stdexcept>

#include "async/run.h"

namespace coffer {
namespace {

using namespace std::chrono_literals;

Task<void> wait_for_ever() {
  asio::steady_timer timer(co_await asio::this_coro::executor,
                           asio::steady_timer::time_point::max());
  co_await timer.async_wait(asio::use_awaitable);
}

Task<void> count_up(int& counter) {
  ++counter;
  co_return;
}

Task<void> break_down() {
  throw std::runtime_error("broken on purpose");
  co_return;
}

Task<bool> join_two(TaskGroup& group, int& counter) {
  const auto executor = co_await asio::this_coro::executor;
  group.spawn(executor, count_up(counter));
  group.spawn(executor, break_down());
  group.spawn(executor, count_up(counter));
  co_return co_await group.join(1h);
}

Task<bool> cancel_one(TaskGroup& group, bool& in_time) {
  const auto executor = co_await asio::this_coro::executor;
  group.spawn(executor, wait_for_ever());
  in_time = co_await group.join(1ms);
  group.cancel();
  co_return co_await group.join(1h);
}

TEST(TaskGroup, JoinsAllAndSurvivesABrokenOne) {
  TaskGroup group;
  int counter = 0;
  EXPECT_TRUE(run(join_two(group, counter)));
  EXPECT_EQ(counter, 2);
  EXPECT_EQ(group.size(), 0u);
}

TEST(TaskGroup, CancelEndsWhatWaits) {
  TaskGroup group;
  bool in_time = true;
  EXPECT_TRUE(run(cancel_one(group, in_time)));
  EXPECT_FALSE(in_time);
}

}  // namespace
}  // namespace coffer
