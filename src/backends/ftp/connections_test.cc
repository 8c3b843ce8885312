#include "backends/ftp/connections.h"

#include <gtest/gtest.h>

#include <array>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include "async/run.h"

namespace coffer::ftp {
namespace {

using namespace std::chrono_literals;
using Leases = Result<std::vector<Lease>>;

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
  Leases acquire(std::size_t count, Use use) { return run(connections_->acquire(count, use)); }

  /// A request that waits while others come.
  struct Asked {
    asio::cancellation_signal signal = {};
    bool ended = false;
    std::optional<Leases> leases = {};
  };
  void ask(Asked& asked, Use use, std::size_t count = 1) {
    asio::co_spawn(context_, connections_->acquire(count, use),
                   asio::bind_cancellation_slot(
                       asked.signal.slot(), [&](const std::exception_ptr& error, Leases leases) {
                         asked.ended = true;
                         if (!error) asked.leases.emplace(std::move(leases));
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
  asio::io_context context_;
  std::shared_ptr<Connections> connections_;
};

TEST_F(ConnectionsTest, LastingUsesLeaveOneForBriefOnes) {
  wait_for_others_ = 1ms;
  allow(3);
  const auto first = acquire(1, Use::lasting);
  const auto second = acquire(1, Use::lasting);
  ASSERT_TRUE(first && second);
  EXPECT_FALSE(connections_->try_acquire());
  const auto third = acquire(1, Use::lasting);
  ASSERT_FALSE(third);
  EXPECT_EQ(third.error().code, ErrorCode::refused);
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(acquire(1, Use::brief));
}

TEST_F(ConnectionsTest, WhatFindsNoneIsRefusedAndNotUnavailable) {
  allow(2);
  const auto all = acquire(2, Use::lasting);
  ASSERT_TRUE(all);
  const auto more = acquire(1, Use::brief);
  ASSERT_FALSE(more);
  EXPECT_EQ(more.error().code, ErrorCode::refused);
}

TEST_F(ConnectionsTest, ABriefUseDoesNotQueueBehindALastingOne) {
  allow(3);
  auto held = acquire(2, Use::lasting);
  ASSERT_TRUE(held);
  Asked lasting, later, brief;
  ask(lasting, Use::lasting);
  ask(later, Use::lasting);
  EXPECT_FALSE(lasting.ended);
  ask(brief, Use::brief);
  EXPECT_TRUE(brief.leases && *brief.leases);
  held->pop_back();
  turn();
  // All three are in use now, one of them briefly.
  EXPECT_TRUE(lasting.leases && *lasting.leases);
  EXPECT_FALSE(later.ended);
  held->pop_back();
  turn();
  EXPECT_TRUE(later.leases && *later.leases);
}

TEST_F(ConnectionsTest, LimitedUsesLeaveHalfToOthers) {
  allow(5);
  auto limited = acquire(1, Use::limited_lasting);
  const auto second = acquire(1, Use::limited_lasting);
  ASSERT_TRUE(limited && second);
  Asked third, own, later;
  ask(third, Use::limited_lasting);
  EXPECT_FALSE(third.ended);
  ask(own, Use::lasting);
  ASSERT_TRUE(own.leases && *own.leases) << "another limited one waits before it";
  limited->pop_back();
  turn();
  ASSERT_TRUE(third.leases && *third.leases);
  ask(later, Use::limited_lasting);
  EXPECT_FALSE(later.ended);
  (*own.leases)->pop_back();
  EXPECT_TRUE(connections_->try_acquire());
}

TEST_F(ConnectionsTest, LastingLimitedUsesLeaveACopyOfOthersItsTwo) {
  allow(5);
  const auto limited = acquire(1, Use::limited_lasting);
  const auto second = acquire(1, Use::limited_lasting);
  ASSERT_TRUE(limited && second);
  Asked copying, brief;
  ask(copying, Use::lasting, 2);
  ASSERT_TRUE(copying.leases && *copying.leases);
  ask(brief, Use::brief);
  EXPECT_TRUE(brief.leases && *brief.leases);
}

TEST_F(ConnectionsTest, OfFourLastingLimitedUsesHaveOneSoThatACopyFits) {
  allow(4);
  const auto limited = acquire(1, Use::limited_lasting);
  ASSERT_TRUE(limited);
  Asked second, copying;
  ask(second, Use::limited_lasting);
  EXPECT_FALSE(second.ended);
  ask(copying, Use::lasting, 2);
  EXPECT_TRUE(copying.leases && *copying.leases);
}

TEST_F(ConnectionsTest, ManyBriefLimitedUsesHoldUpNoOther) {
  wait_for_brief_ = 5min;
  allow(4);
  auto limited = acquire(1, Use::limited_brief);
  const auto second = acquire(1, Use::limited_brief);
  ASSERT_TRUE(limited && second);
  std::array<Asked, 50> crowd;
  for (auto& asked : crowd) ask(asked, Use::limited_brief);
  EXPECT_FALSE(crowd.front().ended);
  Asked brief, lasting;
  ask(brief, Use::brief);
  EXPECT_TRUE(brief.leases && *brief.leases);
  ask(lasting, Use::lasting);
  EXPECT_TRUE(lasting.leases && *lasting.leases);
  limited->clear();
  turn();
  EXPECT_TRUE(crowd.front().leases && *crowd.front().leases);
  EXPECT_FALSE(crowd[1].ended);
  for (auto& asked : crowd) asked.signal.emit(asio::cancellation_type::terminal);
  turn();
}

TEST_F(ConnectionsTest, OneLimitedUseMayTakeWhatItNeeds) {
  allow(3);
  auto copying = acquire(2, Use::limited_lasting);
  ASSERT_TRUE(copying);
  Asked another, brief;
  ask(another, Use::limited_lasting);
  EXPECT_FALSE(another.ended);
  ask(brief, Use::brief);
  EXPECT_TRUE(brief.leases && *brief.leases) << "a limited one waits before it";
  copying->clear();
  turn();
  EXPECT_TRUE(another.leases && *another.leases);
}

TEST_F(ConnectionsTest, ALimitedUseThatWaitsForTwoHoldsUpNoOther) {
  allow(4);
  const auto held = acquire(1, Use::lasting);
  const auto uploading = acquire(1, Use::limited_lasting);
  ASSERT_TRUE(held && uploading);
  Asked copying, own, brief;
  ask(copying, Use::limited_lasting, 2);
  EXPECT_FALSE(copying.ended);
  ask(own, Use::lasting);
  EXPECT_TRUE(own.leases && *own.leases);
  ask(brief, Use::brief);
  EXPECT_TRUE(brief.leases && *brief.leases);
}

TEST_F(ConnectionsTest, WhoWaitsForOthersStopsWithTheCaller) {
  allow(3);
  auto held = acquire(2, Use::lasting);
  ASSERT_TRUE(held);
  Asked asked;
  ask(asked, Use::lasting);
  EXPECT_FALSE(asked.ended);
  asked.signal.emit(asio::cancellation_type::terminal);
  turn();
  EXPECT_TRUE(asked.ended);
  EXPECT_FALSE(asked.leases);
  held->pop_back();
  EXPECT_TRUE(connections_->try_acquire());
}

}  // namespace
}  // namespace coffer::ftp
