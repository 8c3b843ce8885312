#include "async/pool.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <barrier>
#include <filesystem>
#include <functional>
#include <future>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>
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

TEST(SharedThreads, WorkThatHangsLeavesThreadsToOthers) {
  constexpr std::size_t kThreads = 4;
  constexpr std::size_t kShare = kThreads - 1;
  std::promise<void> hanging;
  std::promise<void> released;
  const auto is_released = released.get_future().share();
  std::atomic<std::size_t> begun = 0;
  std::atomic<std::size_t> done = 0;
  {
    SharedThreads threads(kThreads);
    Pool ada(threads, kShare);
    Pool bob(threads, kShare);
    for (int i = 0; i < 100; ++i) {
      ada.post([&] {
        if (++begun == kShare) hanging.set_value();
        is_released.wait();
        ++done;
      });
    }
    hanging.get_future().wait();
    EXPECT_EQ(run(bob.run([] { return 7; })), 7);
    EXPECT_EQ(begun, kShare);
    EXPECT_EQ(done, 0U);
    released.set_value();
  }
  EXPECT_EQ(done, 100U);
}

TEST(SharedThreads, PoolsTakeTurns) {
  std::string order;
  std::promise<void> begun;
  {
    SharedThreads threads(1);
    Pool ada(threads, 1);
    Pool bob(threads, 1);
    Pool eve(threads, 1);
    ada.post([&] { begun.get_future().wait(); });
    for (int i = 0; i < 3; ++i) ada.post([&] { order += 'a'; });
    for (int i = 0; i < 2; ++i) bob.post([&] { order += 'b'; });
    eve.post([&] { order += 'e'; });
    begun.set_value();
  }
  EXPECT_EQ(order, "beabaa");
}

TEST(FairThreads, OwnersTakeTurnsThoughTheirPoolsAreGone) {
  std::string order;
  std::promise<void> begun;
  {
    FairThreads threads(1, 1);
    const auto add = [&](std::uint64_t owner, char letter) {
      threads.of(owner).post([&order, letter] { order += letter; });
    };
    threads.of(7).post([&] { begun.get_future().wait(); });
    for (const char letter : {'1', '2', '3'}) add(7, letter);
    for (const char letter : {'a', 'b'}) add(8, letter);
    add(9, 'x');
    begun.set_value();
  }
  EXPECT_EQ(order, "ax1b23");
}

TEST(FairThreads, AThreadIsLeftForOtherOwners) {
  FairThreads threads(3, 2);
  std::promise<void> released;
  const auto wait = [held = released.get_future().share()] { held.wait(); };
  for (int i = 0; i < 9; ++i) threads.of(1).post(wait);
  EXPECT_EQ(run(threads.of(2).run([] { return 7; })), 7);
  released.set_value();
}

TEST(FairThreads, NothingIsKeptOfOwnersWithoutCalls) {
  FairThreads threads(2, 2);
  for (std::uint64_t owner = 0; owner < 1000; ++owner) {
    run(threads.of(owner).run([] { return 0; }));
  }
  EXPECT_LE(threads.owners(), 64U);
}

TEST(SharedThreads, NoPoolHasMoreThanItsShare) {
  constexpr int kShare = 2;
  std::atomic<int> most = 0;
  std::atomic<int> done = 0;
  std::atomic<int> running = 0;
  {
    SharedThreads threads(6);
    Pool pool(threads, kShare);
    for (int i = 0; i < 500; ++i) {
      pool.post([&] {
        const int now = ++running;
        int before = most;
        while (now > before && !most.compare_exchange_weak(before, now)) {
        }
        --running;
        ++done;
      });
    }
  }
  EXPECT_LE(most, kShare);
  EXPECT_EQ(done, 500);
}

std::ptrdiff_t threads_of_this_process() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/task"), {});
}

TEST(SharedThreads, EachBeginsWhenWorkWaitsForIt) {
  constexpr std::size_t kThreads = 16;
  // Those of other tests end. A sanitizer may have a thread of its own.
  while (threads_of_this_process() > 2) std::this_thread::yield();
  std::barrier all(kThreads);
  {
    SharedThreads threads(kThreads);
    EXPECT_LE(threads_of_this_process(), 3);
    Pool pool(threads, kThreads);
    for (std::size_t i = 0; i < kThreads; ++i) pool.post([&] { all.arrive_and_wait(); });
  }
}

TEST(SharedThreads, TimersAreServedWhileACallHangs) {
  std::promise<void> served;
  std::promise<void> released;
  std::promise<void> begun;
  SharedThreads threads(4);
  Pool pool(threads, 1);
  Pool other(threads, 1);
  pool.post([&] {
    begun.set_value();
    released.get_future().wait();
  });
  begun.get_future().wait();
  other.post_after(std::chrono::milliseconds(1), [&] { served.set_value(); });
  EXPECT_EQ(served.get_future().wait_for(std::chrono::seconds(30)), std::future_status::ready);
  released.set_value();
}

TEST(SharedThreads, WorkMayWaitForWorkThatItPosts) {
  constexpr std::size_t kThreads = 8;
  std::atomic<int> done = 0;
  std::function<void(std::size_t)> nest;  // Outlives the threads.
  std::promise<void> all_done;            // So does this. The pool is used until then.
  {
    SharedThreads threads(kThreads);
    Pool pool(threads, kThreads);
    nest = [&](std::size_t left) {
      ++done;
      if (left == 0) return;
      auto ended = std::make_shared<std::promise<void>>();  // The one who sets it may be the last.
      auto is_ended = ended->get_future();
      pool.post([&nest, left, ended = std::move(ended)] {
        nest(left - 1);
        ended->set_value();
      });
      is_ended.wait();
    };
    pool.post([&] {
      nest(kThreads - 1);
      all_done.set_value();
    });
    all_done.get_future().wait();
  }
  EXPECT_EQ(done, kThreads);
}

TEST(SharedThreads, TheirEndWaitsForAllWorkOfPoolsThatAreGone) {
  int done = 0;
  {
    SharedThreads threads(2);
    Pool pool(threads, 1);
    for (int i = 0; i < 50; ++i) pool.post([&] { ++done; });
    pool.post_after(std::chrono::milliseconds(1), [&] { ++done; });
  }
  EXPECT_EQ(done, 51);
}

TEST(SharedThreads, ThoseOfLowPriorityAreNicer) {
  const auto nice = [] { return ::getpriority(PRIO_PROCESS, static_cast<id_t>(::gettid())); };
  SharedThreads threads(1, SharedThreads::Priority::low);
  Pool pool(threads, 1);
  EXPECT_GT(run(pool.run(nice)), nice());
}

}  // namespace
}  // namespace coffer
