#include "catalog/node_counts.h"

#include <gtest/gtest.h>

namespace coffer::catalog {
namespace {

using Room = NodeCounts::Room;

constexpr storage::NameTreeId kTree{1};
constexpr storage::NameTreeId kOther{2};
constexpr std::uint64_t kMost = 100'000;

class NodeCountsTest : public testing::Test {
 protected:
  NodeCounts::Clock::time_point time_{std::chrono::hours(1)};
  NodeCounts counts_{kMost, [this] { return time_; }};
};

TEST_F(NodeCountsTest, AFewNamesNeedNoCount) {
  EXPECT_EQ(counts_.room_for(kTree, NodeCounts::kUncounted), Room::yes);
  counts_.grew(kTree, NodeCounts::kUncounted);
  EXPECT_EQ(counts_.room_for(kTree, 1), Room::must_count);
  EXPECT_EQ(counts_.room_for(kOther, 1), Room::yes);
  counts_.counted(kTree, NodeCounts::kUncounted);
  EXPECT_EQ(counts_.room_for(kTree, 1), Room::yes);
}

TEST_F(NodeCountsTest, AFullTreeGetsNothingUntilItIsCountedAgain) {
  counts_.counted(kTree, kMost - 1);
  EXPECT_EQ(counts_.room_for(kTree, 1), Room::yes);
  counts_.grew(kTree, 1);
  EXPECT_EQ(counts_.room_for(kTree, 1), Room::no);
  time_ += NodeCounts::kBetweenCounts;
  EXPECT_EQ(counts_.room_for(kTree, 1), Room::must_count);
  counts_.counted(kTree, kMost - 10);
  EXPECT_EQ(counts_.room_for(kTree, 10), Room::yes);
  EXPECT_EQ(counts_.room_for(kTree, 11), Room::no);
}

TEST_F(NodeCountsTest, ALargeCopyIsJudgedByANewCount) {
  EXPECT_EQ(counts_.room_for(kTree, kMost / 2), Room::must_count);
  counts_.counted(kTree, kMost / 2);
  EXPECT_EQ(counts_.room_for(kTree, kMost / 2), Room::yes);
  EXPECT_EQ(counts_.room_for(kTree, kMost / 2 + 1), Room::no);
}

}  // namespace
}  // namespace coffer::catalog
