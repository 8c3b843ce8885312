#include "core/uploads/upload_turns.h"

#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <vector>

namespace coffer::core {
namespace {

constexpr std::chrono::seconds kLong{60};

class UploadTurnsTest : public testing::Test {
 protected:
  /// Takes the turn when it can, and keeps it in `held_` or notes that it got none.
  void take(int who, std::chrono::steady_clock::duration patience = kLong) {
    asio::co_spawn(context_, taking(who, patience), asio::detached);
    context_.restart();
    context_.poll();
  }
  Task<void> taking(int who, std::chrono::steady_clock::duration patience) {
    auto turn = co_await turns_.take(kId, [this, who] { interrupted_.push_back(who); }, patience);
    (turn ? got_ : missed_).push_back(who);
    if (turn) held_ = std::move(*turn);
  }
  void leave() {
    held_.reset();
    context_.restart();
    context_.poll();
  }

  const UploadId kId{"a"};
  UploadTurns turns_;
  std::optional<UploadTurns::Turn> held_;
  std::vector<int> got_;
  std::vector<int> missed_;
  std::vector<int> interrupted_;
  asio::io_context context_{1};
};

TEST_F(UploadTurnsTest, ALaterOneInterruptsAndWaits) {
  take(1);
  take(2);
  EXPECT_EQ(got_, std::vector{1});
  EXPECT_EQ(interrupted_, std::vector{1});
  leave();
  EXPECT_EQ(got_, (std::vector{1, 2}));
  EXPECT_EQ(interrupted_, std::vector{1});
}

TEST_F(UploadTurnsTest, OneThatWaitsLongerInterruptsNoLaterOne) {
  take(1);
  take(2);
  take(3);
  leave();
  ASSERT_EQ(got_.size(), 2U);
  const bool is_latest = got_.back() == 3;
  leave();
  EXPECT_EQ(got_.size(), 3U);
  const auto times = std::ranges::count(interrupted_, 3);
  EXPECT_EQ(times, 0);
  EXPECT_EQ(std::ranges::count(interrupted_, 2), is_latest ? 0 : 1);
}

TEST_F(UploadTurnsTest, OneThatWaitedLongEnoughGetsNone) {
  take(1);
  take(2, std::chrono::seconds(0));
  EXPECT_EQ(missed_, std::vector{2});
  leave();
  EXPECT_EQ(got_, std::vector{1});
  EXPECT_TRUE(turns_.take_now(kId));
}

TEST_F(UploadTurnsTest, TakingNowInterruptsNobody) {
  take(1);
  EXPECT_FALSE(turns_.take_now(kId));
  EXPECT_TRUE(turns_.take_now(UploadId{"b"}));
  EXPECT_TRUE(interrupted_.empty());
  leave();
  EXPECT_TRUE(turns_.take_now(kId));
}

}  // namespace
}  // namespace coffer::core
