#include "backends/oidc/kept_document.h"

#include <gtest/gtest.h>

#include <atomic>
#include <latch>
#include <thread>
#include <vector>

namespace coffer::oidc {
namespace {

using namespace std::chrono_literals;

/// A document that counts how often it was fetched.
struct Scene {
  std::chrono::steady_clock::time_point time{1h};
  std::atomic<int> fetched = 0;
  bool is_down = false;
  KeptDocument<int> document{[this]() -> Result<int> {
                               ++fetched;
                               if (is_down) return fail(ErrorCode::unavailable, "It is down.");
                               return fetched.load();
                             },
                             [this] { return time; }};

  int got() {
    const auto copy = document.get();
    return copy ? **copy : -1;
  }
};

TEST(KeptDocument, IsKeptForADay) {
  Scene scene;
  EXPECT_EQ(scene.fetched, 0);
  EXPECT_EQ(scene.got(), 1);
  scene.time += 24h - 1s;
  EXPECT_EQ(scene.got(), 1);
  scene.time += 1s;
  EXPECT_EQ(scene.got(), 2);
}

TEST(KeptDocument, ServesTheOldCopyWhileTheProviderIsDown) {
  Scene scene;
  EXPECT_EQ(scene.got(), 1);
  scene.time += 24h;
  scene.is_down = true;
  EXPECT_EQ(scene.got(), 1);
  EXPECT_EQ(scene.fetched, 2);
  EXPECT_EQ(scene.got(), 1);
  EXPECT_EQ(scene.fetched, 2);  // A moment later it is not asked again.
  scene.time += 5s;
  scene.is_down = false;
  EXPECT_EQ(scene.got(), 3);
}

TEST(KeptDocument, OfAProviderThatIsDownIsAskedForSoonAgain) {
  Scene scene;
  scene.is_down = true;
  EXPECT_EQ(scene.document.get().error().message, "It is down.");
  EXPECT_EQ(scene.document.get().error().message, "It is down.");
  EXPECT_EQ(scene.fetched, 1);
  scene.is_down = false;
  scene.time += 5s;
  EXPECT_EQ(scene.got(), 2);
}

TEST(KeptDocument, IsRenewedOnceInHalfAMinute) {
  Scene scene;
  const auto first = scene.document.get().value();
  const auto second = scene.document.get_newer(first);
  EXPECT_EQ(*second, 2);
  EXPECT_EQ(*scene.document.get_newer(first), 2);  // It is newer than what was seen.
  EXPECT_EQ(scene.document.get_newer(second), second);
  scene.time += 30s - 1ms;
  EXPECT_EQ(scene.document.get_newer(second), second);
  scene.time += 1ms;
  scene.is_down = true;
  EXPECT_EQ(scene.document.get_newer(second), second);
  EXPECT_EQ(scene.fetched, 3);
  EXPECT_EQ(scene.got(), 2);
  scene.is_down = false;
  scene.time += 30s;
  EXPECT_EQ(*scene.document.get_newer(second), 4);
}

TEST(KeptDocument, IsFetchedByOneOfManyThreads) {
  std::latch all_are_there(8);
  std::atomic<int> fetched = 0;
  KeptDocument<int> document(
      [&]() -> Result<int> {
        all_are_there.wait();
        return ++fetched;
      },
      [] { return std::chrono::steady_clock::time_point{1h}; });
  std::vector<std::jthread> threads;
  std::atomic<int> right = 0;
  for (int number = 0; number < 8; ++number) {
    threads.emplace_back([&] {
      all_are_there.count_down();
      const auto copy = document.get();
      if (copy && **copy == 1) ++right;
    });
  }
  threads.clear();
  EXPECT_EQ(fetched, 1);
  EXPECT_EQ(right, 8);
}

}  // namespace
}  // namespace coffer::oidc
