#include "core/tasks/work_pools.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <future>
#include <vector>

#include "async/run.h"

namespace coffer::core {
namespace {

constexpr std::size_t kThreads = 8;
constexpr AccountId kAda{1};
constexpr AccountId kBob{2};

/// Calls that do not end, far more than there are threads.
class WorkPoolsTest : public testing::Test {
 protected:
  ~WorkPoolsTest() override { released_.set_value(); }

  void hang(Pool& pool) {
    for (std::size_t i = 0; i < 10 * kThreads; ++i) {
      pool.post([this] { is_released_.wait(); });
    }
  }
  static bool serves(Pool& pool) {
    return run(pool.run([] { return true; }));
  }

  std::promise<void> released_;
  const std::shared_future<void> is_released_ = released_.get_future().share();
  WorkPools pools_{kThreads};
};

TEST_F(WorkPoolsTest, AnAccountWhoseCallsHangLeavesThreadsToOthers) {
  hang(pools_.of(kAda).brief);
  hang(pools_.of(kAda).lengthy);
  EXPECT_TRUE(serves(pools_.of(kBob).brief));
  EXPECT_TRUE(serves(pools_.of(kBob).lengthy));
  EXPECT_TRUE(serves(pools_.common()));
}

TEST_F(WorkPoolsTest, ASharedFolderWhoseCallsHangLeavesThreadsToOthers) {
  hang(pools_.of(ShareId{"a"}).brief);
  hang(pools_.of(ShareId{"a"}).lengthy);
  EXPECT_TRUE(serves(pools_.of(kBob).brief));
  EXPECT_TRUE(serves(pools_.of(kBob).lengthy));
  EXPECT_TRUE(serves(pools_.of(ShareId{"b"}).brief));
}

TEST_F(WorkPoolsTest, LongWorkLeavesThreadsToTheShortWorkOfTheSameAccount) {
  hang(pools_.of(kAda).lengthy);
  EXPECT_TRUE(serves(pools_.of(kAda).brief));
}

TEST_F(WorkPoolsTest, PackingLeavesThreadsToOtherWorkOfTheSameAccount) {
  hang(pools_.of(kAda).packing);
  EXPECT_TRUE(serves(pools_.of(kAda).brief));
  EXPECT_TRUE(serves(pools_.of(kAda).lengthy));
}

TEST_F(WorkPoolsTest, PackingGivesWayToOtherThreadsOfAProcessor) {
  const auto niceness = [](Pool& pool) {
    return run(pool.run([] { return ::getpriority(PRIO_PROCESS, static_cast<id_t>(::gettid())); }));
  };
  WorkPool& pool = pools_.of(kAda);
  EXPECT_GT(niceness(pool.packing), niceness(pool.brief));
}

TEST_F(WorkPoolsTest, AnAccountHasOnePool) {
  EXPECT_EQ(&pools_.of(kAda), &pools_.of(kAda));
  EXPECT_NE(&pools_.of(kAda), &pools_.of(kBob));
}

}  // namespace
}  // namespace coffer::core
