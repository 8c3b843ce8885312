#include "api/answer_room.h"

#include <gtest/gtest.h>

namespace coffer::api {
namespace {

TEST(AnswerRoomTest, AHolderHasNoMoreThanItsPart) {
  const AnswerRoom room(100, 40);
  auto first = room.begin("ann");
  const auto second = room.begin("ann");
  ASSERT_TRUE(first->grow(30));
  EXPECT_FALSE(second->grow(11));
  EXPECT_TRUE(second->grow(10));
  EXPECT_FALSE(first->grow(1));
  EXPECT_TRUE(room.begin("bob")->grow(40));
  first.reset();
  EXPECT_TRUE(second->grow(30));
}

TEST(AnswerRoomTest, TheFirstOfAHolderMayBeOfAnySize) {
  const AnswerRoom room(100, 40);
  const auto large = room.begin("ann");
  ASSERT_TRUE(large->grow(1'000));
  EXPECT_TRUE(large->grow(1'000));
  EXPECT_FALSE(room.begin("ann")->grow(1));
  const auto other = room.begin("bob");
  EXPECT_TRUE(other->grow(1'000));
  EXPECT_FALSE(room.begin("bob")->grow(1));
}

TEST(AnswerRoomTest, AllTogetherHaveNoMoreThanThereIs) {
  const AnswerRoom room(100, 60);
  const auto first = room.begin("ann");
  const auto second = room.begin("bob");
  ASSERT_TRUE(first->grow(60) && second->grow(30));
  const auto more = room.begin("bob");
  EXPECT_FALSE(more->grow(11));
  EXPECT_TRUE(more->grow(10));
}

TEST(AnswerRoomTest, AnAnswerHoldsWhatItTakesUnlessThatIsLittle) {
  const AnswerRoom room(1 << 20, 1 << 20);
  http::Response small;
  small.body = std::string(100, 'x');
  EXPECT_TRUE(room.hold("ann", small));
  EXPECT_FALSE(small.held);
  http::Response large;
  large.body = std::string(1 << 20, 'x');
  EXPECT_TRUE(room.hold("ann", large));
  http::Response other = large;
  other.held.reset();
  EXPECT_EQ(room.hold("ann", other).error().code, ErrorCode::overloaded);
  large = {};
  EXPECT_TRUE(room.hold("ann", other));
}

TEST(AnswerRoomTest, AShareMayOutliveIt) {
  std::shared_ptr<AnswerRoom::Share> share;
  {
    const AnswerRoom room(1, 1);
    share = room.begin("ann");
    ASSERT_TRUE(share->grow(1));
  }
  share.reset();
}

}  // namespace
}  // namespace coffer::api
