#include "backends/ftp/connections.h"

#include <gtest/gtest.h>

#include <array>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <fstream>
#include <iterator>

#include "async/run.h"

namespace coffer::ftp {
namespace {

using namespace std::chrono_literals;

constexpr Use kBrief{UseKind::brief};
constexpr Use kLasting{UseKind::lasting};
constexpr Use kWriting{UseKind::writing};
constexpr Use kLimitedBrief{UseKind::brief, true};
constexpr Use kLimitedLasting{UseKind::lasting, true};
constexpr Use kLimitedWriting{UseKind::writing, true};

/// Connections that are never made: only the right to use one matters here.
class ConnectionsTest : public testing::Test {
 protected:
  void allow(std::size_t connections) {
    connections_ = std::make_shared<Connections>(
        std::make_shared<FtpOptions>(FtpOptions{.deadlines = {.reply = wait_for_brief_},
                                                .connections = connections,
                                                .wait_for_others = wait_for_others_}),
        pool_);
  }
  Result<Lease> acquire(Use use) { return run(connections_->acquire(use)); }

  /// A request that waits while others come.
  struct Asked {
    asio::cancellation_signal signal = {};
    bool ended = false;
    std::optional<Result<Lease>> lease = {};

    bool is_served() const { return lease && *lease; }
  };
  void ask(Asked& asked, Use use) {
    asio::co_spawn(
        context_, connections_->acquire(use),
        asio::bind_cancellation_slot(asked.signal.slot(),
                                     [&](const std::exception_ptr& error, Result<Lease> lease) {
                                       asked.ended = true;
                                       if (!error) asked.lease.emplace(std::move(lease));
                                     }));
    turn();
  }
  /// Every request that can go on does.
  void turn() {
    context_.restart();
    context_.poll();
  }

  std::chrono::milliseconds wait_for_brief_ = 1ms;
  std::chrono::milliseconds wait_for_others_ = 5min;
  Pool pool_{1};
  std::shared_ptr<Connections> connections_;
  // Ends before the connections: those that still wait leave their queue then.
  asio::io_context context_;
};

/// As when the library could not be loaded: a destructor must not try again.
TEST(Connection, OneThatNeverConnectedEndsWithoutTheLibrary) {
  {
    const Connection connection(std::make_shared<const FtpOptions>());
  }
  std::ifstream maps("/proc/self/maps");
  const std::string all(std::istreambuf_iterator<char>(maps), {});
  EXPECT_EQ(all.find("libcurl"), std::string::npos);
}

TEST_F(ConnectionsTest, LastingUsesLeaveOneForBriefOnes) {
  wait_for_others_ = 1ms;
  allow(3);
  const auto first = acquire(kLasting);
  const auto second = acquire(kWriting);
  ASSERT_TRUE(first && second);
  EXPECT_FALSE(connections_->try_acquire());
  const auto third = acquire(kLasting);
  ASSERT_FALSE(third);
  EXPECT_EQ(third.error().code, ErrorCode::refused);
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(acquire(kBrief));
}

TEST_F(ConnectionsTest, WhatFindsNoneIsRefusedAndNotUnavailable) {
  allow(2);
  const auto reading = acquire(kLasting);
  const auto writing = acquire(kWriting);
  ASSERT_TRUE(reading && writing);
  const auto more = acquire(kBrief);
  ASSERT_FALSE(more);
  EXPECT_EQ(more.error().code, ErrorCode::refused);
}

TEST_F(ConnectionsTest, ABriefUseDoesNotQueueBehindALastingOne) {
  allow(3);
  auto one = acquire(kLasting);
  auto other = acquire(kLasting);
  ASSERT_TRUE(one && other);
  Asked lasting, later, brief;
  ask(lasting, kLasting);
  ask(later, kLasting);
  EXPECT_FALSE(lasting.ended);
  ask(brief, kBrief);
  EXPECT_TRUE(brief.is_served());
  one->give_back();
  turn();
  // All three are in use now, one of them briefly.
  EXPECT_TRUE(lasting.is_served());
  EXPECT_FALSE(later.ended);
  other->give_back();
  turn();
  EXPECT_TRUE(later.is_served());
}

/// Copies within the server would wait for each other if all connections were their writers'.
TEST_F(ConnectionsTest, WritingLeavesOneToReading) {
  allow(2);
  auto writing = acquire(kWriting);
  ASSERT_TRUE(writing);
  Asked another, reading;
  ask(another, kWriting);
  EXPECT_FALSE(another.ended);
  ask(reading, kLasting);
  EXPECT_TRUE(reading.is_served()) << "another writer waits before it";
  writing->give_back();
  turn();
  EXPECT_TRUE(another.is_served());
}

TEST_F(ConnectionsTest, LimitedUsesLeaveHalfToOthers) {
  allow(5);
  auto limited = acquire(kLimitedLasting);
  const auto second = acquire(kLimitedLasting);
  ASSERT_TRUE(limited && second);
  Asked third, own, later;
  ask(third, kLimitedLasting);
  EXPECT_FALSE(third.ended);
  ask(own, kLasting);
  ASSERT_TRUE(own.is_served()) << "another limited one waits before it";
  limited->give_back();
  turn();
  ASSERT_TRUE(third.is_served());
  ask(later, kLimitedLasting);
  EXPECT_FALSE(later.ended);
  (*own.lease)->give_back();
  EXPECT_TRUE(connections_->try_acquire());
}

TEST_F(ConnectionsTest, LastingLimitedUsesLeaveACopyOfOthersItsTwo) {
  for (const Use use : {kLimitedLasting, kLimitedWriting}) {
    allow(5);
    const auto limited = acquire(use);
    const auto second = acquire(use);
    ASSERT_TRUE(limited && second);
    Asked reading, writing, brief;
    ask(reading, kLasting);
    ask(writing, kWriting);
    EXPECT_TRUE(reading.is_served() && writing.is_served());
    ask(brief, kBrief);
    EXPECT_TRUE(brief.is_served());
  }
}

TEST_F(ConnectionsTest, OfFourLastingLimitedUsesHaveOneSoThatACopyFits) {
  allow(4);
  const auto limited = acquire(kLimitedWriting);
  ASSERT_TRUE(limited);
  Asked second, reading, writing;
  ask(second, kLimitedWriting);
  EXPECT_FALSE(second.ended);
  ask(reading, kLasting);
  EXPECT_TRUE(reading.is_served());
  ask(writing, kWriting);
  EXPECT_TRUE(writing.is_served());
}

TEST_F(ConnectionsTest, ManyBriefLimitedUsesHoldUpNoOther) {
  wait_for_brief_ = 5min;
  allow(4);
  auto limited = acquire(kLimitedBrief);
  const auto second = acquire(kLimitedBrief);
  ASSERT_TRUE(limited && second);
  std::array<Asked, 50> crowd;
  for (auto& asked : crowd) ask(asked, kLimitedBrief);
  EXPECT_FALSE(crowd.front().ended);
  Asked brief, lasting;
  ask(brief, kBrief);
  EXPECT_TRUE(brief.is_served());
  ask(lasting, kLasting);
  EXPECT_TRUE(lasting.is_served());
  limited->give_back();
  turn();
  EXPECT_TRUE(crowd.front().is_served());
  EXPECT_FALSE(crowd[1].ended);
  for (auto& asked : crowd) asked.signal.emit(asio::cancellation_type::terminal);
  turn();
}

TEST_F(ConnectionsTest, OneLimitedCopyMayTakeTheTwoThatItNeeds) {
  for (const std::size_t connections : {2U, 3U, 4U}) {
    allow(connections);
    auto reading = acquire(kLimitedLasting);
    Asked writing, another;
    ask(writing, kLimitedWriting);
    EXPECT_TRUE(writing.is_served()) << connections;
    ask(another, kLimitedLasting);
    EXPECT_FALSE(another.ended) << connections;
    reading->give_back();
    turn();
    EXPECT_TRUE(another.is_served()) << connections;
  }
}

/// Its own reader waits while other limited uses have the share.
TEST_F(ConnectionsTest, ALimitedWriterIsNotLeftWithoutAReader) {
  allow(5);
  const auto writing = acquire(kLimitedWriting);
  const auto another = acquire(kLimitedWriting);
  ASSERT_TRUE(writing && another);
  Asked reading;
  ask(reading, kLimitedLasting);
  EXPECT_TRUE(reading.is_served());
}

TEST_F(ConnectionsTest, ALimitedWriterThatWaitsHoldsUpNoOther) {
  allow(4);
  const auto uploading = acquire(kLimitedWriting);
  ASSERT_TRUE(uploading);
  Asked limited, own, brief;
  ask(limited, kLimitedWriting);
  EXPECT_FALSE(limited.ended);
  ask(own, kWriting);
  EXPECT_TRUE(own.is_served());
  ask(brief, kBrief);
  EXPECT_TRUE(brief.is_served());
}

TEST_F(ConnectionsTest, WhoWaitsForOthersStopsWithTheCaller) {
  allow(3);
  auto one = acquire(kLasting);
  const auto other = acquire(kLasting);
  ASSERT_TRUE(one && other);
  Asked asked;
  ask(asked, kLasting);
  EXPECT_FALSE(asked.ended);
  asked.signal.emit(asio::cancellation_type::terminal);
  turn();
  EXPECT_TRUE(asked.ended);
  EXPECT_FALSE(asked.lease);
  one->give_back();
  EXPECT_TRUE(connections_->try_acquire());
}

}  // namespace
}  // namespace coffer::ftp
