#include "core/accounts/account_slots.h"

#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <deque>

namespace coffer::core {
namespace {

using Waiter = AccountSlots::Waiter;

class AccountSlotsTest : public testing::Test {
 protected:
  struct One {
    explicit One(std::int64_t account) : waiter(AccountId{account}) {}
    Waiter waiter;
    std::optional<AccountSlots::Slot> slot;
    bool has_returned = false;
  };

  One& enter(std::int64_t account) {
    One& one = all_.emplace_back(account);
    asio::co_spawn(context_, enter_as(one), asio::detached);
    turn();
    return one;
  }
  Task<void> enter_as(One& one) {
    one.slot = co_await slots_.enter(one.waiter);
    one.has_returned = true;
  }
  void turn() {
    context_.restart();
    context_.poll();
  }
  void leave(One& one) {
    one.slot.reset();
    turn();
  }

  asio::io_context context_{1};
  std::deque<One> all_;
  static constexpr std::size_t kMost = 6;
  AccountSlots slots_{kMost, 2};
};

TEST_F(AccountSlotsTest, AnAccountWaitsForItsOwn) {
  One& first = enter(1);
  enter(1);
  One& third = enter(1);
  EXPECT_TRUE(first.slot);
  EXPECT_FALSE(third.has_returned);
  EXPECT_TRUE(enter(2).slot) << "another account's";
  leave(first);
  EXPECT_TRUE(third.slot);
}

TEST_F(AccountSlotsTest, WhoHasFewestComesFirstAndThenWhoWaitedForATurn) {
  for (int account = 1; account <= 3; ++account) {
    for (int i = 0; i < 4; ++i) enter(account);
  }
  One& late = enter(4);
  One& later = enter(4);
  leave(all_[0]);
  EXPECT_TRUE(late.slot);
  // The first account has none now; then, of those with one, the second's turn was longest ago.
  leave(all_[1]);
  EXPECT_TRUE(all_[2].slot);
  leave(all_[4]);
  EXPECT_TRUE(all_[6].slot);
  EXPECT_FALSE(later.slot);
  leave(all_[5]);
  EXPECT_TRUE(later.slot);
}

TEST_F(AccountSlotsTest, AllTogetherHaveABoundInTheOrderInWhichTheyCame) {
  for (std::size_t i = 0; i < kMost; ++i) {
    EXPECT_TRUE(enter(static_cast<std::int64_t>(i)).slot);
  }
  One& first = enter(100);
  One& second = enter(101);
  EXPECT_FALSE(first.has_returned || second.has_returned);
  leave(all_.front());
  EXPECT_TRUE(first.slot);
  EXPECT_FALSE(second.has_returned);
}

TEST_F(AccountSlotsTest, WaitingCanBeGivenUp) {
  One& first = enter(1);
  enter(1);
  One& third = enter(1);
  One& fourth = enter(1);
  slots_.cancel(third.waiter);
  turn();
  EXPECT_TRUE(third.has_returned);
  EXPECT_FALSE(third.slot);
  leave(first);
  EXPECT_TRUE(fourth.slot);
}

TEST_F(AccountSlotsTest, WhatGaveUpBeforeNeverWaits) {
  Waiter waiter(AccountId{1});
  slots_.cancel(waiter);
  std::optional<AccountSlots::Slot> slot(nullptr);
  asio::co_spawn(
      context_,
      [](AccountSlots& slots, Waiter& one, std::optional<AccountSlots::Slot>& out) -> Task<void> {
        out = co_await slots.enter(one);
      }(slots_, waiter, slot),
      asio::detached);
  turn();
  EXPECT_FALSE(slot);
}

}  // namespace
}  // namespace coffer::core
