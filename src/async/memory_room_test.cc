#include "async/memory_room.h"

#include <gtest/gtest.h>

#include <optional>
#include <utility>

namespace coffer {
namespace {

const MemoryHolder kAnn{"ann"};
const MemoryHolder kBob{"bob"};
const MemoryHolder kGuest{"ann", true, "192.0.2.1"};
const MemoryHolder kOther{"ann", true, "192.0.2.2"};

class MemoryRoomTest : public testing::Test {
 protected:
  MemoryRoom::Hold held(const MemoryHolder& holder, std::uint64_t bytes) {
    auto hold = room_.begin(holder);
    EXPECT_TRUE(hold.grow(bytes));
    return hold;
  }
  /// The error of another Hold that grows so far; nullopt if it may.
  std::optional<ErrorCode> refusal(const MemoryHolder& holder, std::uint64_t bytes) {
    auto hold = room_.begin(holder);
    const auto grown = hold.grow(bytes);
    return grown ? std::nullopt : std::optional(grown.error().code);
  }

  const MemoryRoom room_{{.all = 100, .of_account = 40, .of_guests = 20, .assured = 5}};
};

TEST_F(MemoryRoomTest, AnAccountHasNoMoreThanItsShare) {
  auto first = held(kAnn, 30);
  EXPECT_EQ(refusal(kAnn, 11), ErrorCode::rate_limited);
  const auto second = held(kAnn, 10);
  EXPECT_EQ(first.grow(1).error().code, ErrorCode::rate_limited);
  EXPECT_EQ(first.bytes(), 30u);
  const auto other = held(kBob, 40);
  first = {};
  EXPECT_EQ(refusal(kAnn, 30), std::nullopt);
}

TEST_F(MemoryRoomTest, ItsOnlyOneLeavesAPartToOthers) {
  auto large = held(kAnn, 70);
  EXPECT_EQ(refusal(kAnn, 6), ErrorCode::rate_limited);
  EXPECT_EQ(large.grow(11).error().code, ErrorCode::overloaded);
  EXPECT_TRUE(large.grow(10));
  EXPECT_EQ(refusal(kBob, 21), ErrorCode::overloaded);
  EXPECT_EQ(refusal(kBob, 20), std::nullopt);
}

TEST_F(MemoryRoomTest, AnAccountAndItsGuestsLeaveAPartToOthersToo) {
  const auto of_guests = held(kGuest, 40);
  const auto own = held(kAnn, 40);
  EXPECT_EQ(refusal(kBob, 20), std::nullopt);
}

TEST_F(MemoryRoomTest, WhatOnlyMakesFasterLeavesHalfFree) {
  auto first = room_.begin(kAnn);
  EXPECT_TRUE(first.grow_if_ample(30));
  auto second = room_.begin(kBob);
  EXPECT_FALSE(second.grow_if_ample(21));
  EXPECT_EQ(second.bytes(), 0u);
  EXPECT_TRUE(second.grow_if_ample(20));
  EXPECT_FALSE(first.grow_if_ample(1));
  EXPECT_TRUE(first.grow(1));
  EXPECT_EQ(room_.taken(), 51u);
}

TEST_F(MemoryRoomTest, ALittleIsAssuredToEach) {
  const auto large = held(kAnn, 80);
  const auto rest = held(MemoryHolder{"cid"}, 20);
  const auto small = held(kBob, 5);
  EXPECT_EQ(refusal(kBob, 1), ErrorCode::overloaded);
  EXPECT_EQ(room_.taken(), 105u);
}

TEST_F(MemoryRoomTest, GuestsHaveAPartOfTheirAccountsShare) {
  const auto first = held(kGuest, 15);
  EXPECT_EQ(refusal(kOther, 6), ErrorCode::rate_limited);
  const auto own = held(kAnn, 20);
  const auto second = held(kOther, 5);
  EXPECT_EQ(refusal(kAnn, 1), ErrorCode::rate_limited);
}

TEST_F(MemoryRoomTest, GuestsOfOneNetworkLeaveAPartToOthers) {
  std::vector<std::string> calls;
  room_.on_short([&](const std::string& account) { calls.push_back(account); });
  const auto first = held(kGuest, 10);
  auto second = held(kGuest, 6);
  EXPECT_EQ(second.grow(1).error().code, ErrorCode::rate_limited);
  const auto other = held(kOther, 4);
  EXPECT_EQ(refusal(kOther, 1), ErrorCode::rate_limited);
  EXPECT_TRUE(calls.empty());
  // Of those who pause one gives way to the first of another network.
  EXPECT_EQ(refusal(MemoryHolder{"ann", true, "192.0.2.3"}, 1), ErrorCode::rate_limited);
  EXPECT_EQ(calls, std::vector<std::string>{"ann"});
}

TEST_F(MemoryRoomTest, GuestsTakeNotAllOfIt) {
  EXPECT_EQ(refusal(kGuest, 41), ErrorCode::rate_limited);
  const auto only_one = held(kGuest, 40);
  // As much is still there for the account's own first one.
  auto own = held(kAnn, 40);
  EXPECT_EQ(own.grow(1).error().code, ErrorCode::overloaded);
}

TEST_F(MemoryRoomTest, WhatIsReleasedMayBeTakenAgain) {
  auto hold = held(kAnn, 40);
  hold.shrink_to(10);
  hold.shrink_to(30);
  EXPECT_EQ(hold.bytes(), 10u);
  auto moved = std::move(hold);
  EXPECT_EQ(room_.taken(), 10u);
  const auto other = held(kAnn, 30);
  moved = room_.begin(kBob);
  EXPECT_EQ(room_.taken(), 30u);
}

TEST_F(MemoryRoomTest, OneWithoutARoomHasNoLimit) {
  MemoryRoom::Hold hold;
  EXPECT_TRUE(hold.grow(1'000'000));
  EXPECT_EQ(hold.bytes(), 1'000'000u);
}

TEST_F(MemoryRoomTest, ItTellsWhenAllIsExhaustedButNotWhenAShareIs) {
  std::vector<std::string> calls;
  room_.on_short([&](const std::string& account) { calls.push_back(account); });
  const auto one = held(kAnn, 40);
  EXPECT_EQ(refusal(kAnn, 1), ErrorCode::rate_limited);
  EXPECT_EQ(refusal(kBob, 81), ErrorCode::overloaded) << "It would never fit.";
  EXPECT_TRUE(calls.empty());
  EXPECT_EQ(refusal(kBob, 61), ErrorCode::overloaded);
  EXPECT_EQ(calls, std::vector<std::string>{""});
  room_.on_short({});
  EXPECT_EQ(refusal(kBob, 61), ErrorCode::overloaded);
  EXPECT_EQ(calls, std::vector<std::string>{""});
}

TEST(MemoryRoomLimits, AreShares) {
  const auto limits = MemoryRoom::limits_of(1'000);
  EXPECT_EQ(limits.all, 1'000u);
  EXPECT_EQ(limits.of_account, 400u);
  EXPECT_EQ(limits.of_guests, 200u);
}

}  // namespace
}  // namespace coffer
