#include "core/sessions/password_queue.h"

#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <functional>
#include <latch>
#include <vector>

namespace coffer::core {
namespace {

const PasswordAsker kAnn = PasswordAsker::at("192.0.2.1");
const PasswordAsker kBob = PasswordAsker::at("192.0.2.2");
const PasswordAsker kKnown = PasswordAsker::of(AccountId{7});

class PasswordQueueTest : public testing::Test {
 protected:
  static Task<void> work(PasswordQueue::Place place, std::function<void()> call) {
    co_await place.run(std::move(call));
  }
  /// Enters now, and calls `call` when the holder's turn comes.
  void spawn(const PasswordAsker& asker, std::function<void()> call) {
    asio::co_spawn(context_, work(queue_.enter(asker).value(), std::move(call)), asio::detached);
    context_.poll();
  }

  asio::io_context context_;
  PasswordQueue queue_;
};

TEST_F(PasswordQueueTest, AHolderThatFloodsIsPassedByOthers) {
  std::latch go(1);
  std::vector<std::string> order;
  const auto name = [&order](const char* text) {
    return [&order, text] { order.push_back(text); };
  };
  spawn(kAnn, [&go] { go.wait(); });
  for (int i = 0; i < 60; ++i) spawn(kAnn, name("ann"));
  spawn(kBob, name("bob"));
  go.count_down();
  context_.run();
  ASSERT_EQ(order.size(), 61U);
  EXPECT_TRUE(order[0] == "bob" || order[1] == "bob");
}

TEST_F(PasswordQueueTest, StrangersNeverHoldUpTheKnown) {
  std::latch strangers_hold(1);
  std::latch is_done(1);
  spawn(kAnn, [&] { strangers_hold.wait(); });
  spawn(kKnown, [&] { is_done.count_down(); });
  is_done.wait();  // While the strangers' thread is taken.
  strangers_hold.count_down();
  context_.run();
}

TEST_F(PasswordQueueTest, AHoldersPlacesAreBounded) {
  std::vector<PasswordQueue::Place> places;
  while (auto place = queue_.enter(kAnn)) places.push_back(*std::move(place));
  EXPECT_EQ(places.size(), PasswordQueue::kMostOfHolder);
  const auto refused = queue_.enter(kAnn).error();
  EXPECT_EQ(refused.code, ErrorCode::rate_limited);
  EXPECT_EQ(refused.retry_after, std::chrono::seconds(1));
  EXPECT_TRUE(queue_.enter(kBob));
  places.pop_back();
  EXPECT_TRUE(queue_.enter(kAnn));
}

TEST_F(PasswordQueueTest, AllStrangersTogetherLeaveRoomForTheKnown) {
  std::vector<PasswordQueue::Place> places;
  for (int i = 0;; ++i) {
    auto place = queue_.enter(PasswordAsker::at("192.0.2." + std::to_string(i)));
    if (!place) {
      EXPECT_EQ(place.error().code, ErrorCode::overloaded);
      break;
    }
    places.push_back(*std::move(place));
  }
  EXPECT_EQ(places.size(), PasswordQueue::kMostOfKind);
  EXPECT_TRUE(queue_.enter(kKnown));
}

TEST_F(PasswordQueueTest, AHolderIsAnAccountOrANetwork) {
  EXPECT_EQ(PasswordAsker::at("2001:db8::1").holder, PasswordAsker::at("2001:db8::ffff").holder);
  EXPECT_NE(PasswordAsker::at("2001:db8::1").holder, PasswordAsker::at("2001:db8:0:1::1").holder);
  EXPECT_NE(kAnn.holder, kBob.holder);
  Principal command;
  command.is_command = true;
  EXPECT_EQ(PasswordAsker::of(command).holder, "command");
}

}  // namespace
}  // namespace coffer::core
