#include "core/events/pending_events.h"

#include <gtest/gtest.h>

namespace coffer::core {
namespace {

using namespace std::chrono_literals;
using Kind = Event::Kind;
using Events = std::vector<Event>;

class PendingEventsTest : public testing::Test {
 protected:
  PendingEvents::Instant now_{1h};
  PendingEvents pending_{{"a", "b"}};
};

TEST_F(PendingEventsTest, TellsEachThingOnceHoweverOftenItChanged) {
  EXPECT_TRUE(pending_.empty());
  for (int i = 0; i < 1000; ++i) {
    pending_.note_folder(1);
    pending_.note_task("one");
    pending_.note_account();
  }
  EXPECT_LE(pending_.next_due(), now_);
  EXPECT_EQ(pending_.take(now_),
            (Events{{Kind::account}, {Kind::folder, "b"}, {Kind::task, "one"}}));
  EXPECT_TRUE(pending_.empty());
  EXPECT_EQ(pending_.take(now_), Events{});
}

TEST_F(PendingEventsTest, TellsOfOneFolderAFewTimesASecondAndAlwaysOfItsLastChange) {
  std::size_t told = 0;
  for (int ms = 0; ms < 1000; ++ms) {
    pending_.note_folder(0);
    told += pending_.take(now_ + std::chrono::milliseconds(ms)).size();
  }
  EXPECT_EQ(told, 4U);
  EXPECT_EQ(pending_.next_due(), now_ + 1000ms);
  EXPECT_EQ(pending_.take(now_ + 999ms), Events{});
  EXPECT_EQ(pending_.take(now_ + 1000ms), (Events{{Kind::folder, "a"}}));
  EXPECT_TRUE(pending_.empty());
}

TEST_F(PendingEventsTest, ABusyFolderKeepsNoOtherThingWaiting) {
  pending_.note_folder(0);
  pending_.take(now_);
  pending_.note_folder(0);
  pending_.note_folder(1);
  EXPECT_LE(pending_.next_due(), now_);
  EXPECT_EQ(pending_.take(now_), (Events{{Kind::folder, "b"}}));
}

TEST_F(PendingEventsTest, AResyncStandsForAllElse) {
  pending_.note_folder(0);
  pending_.note_resync();
  pending_.note_task("one");
  EXPECT_EQ(pending_.take(now_), (Events{{Kind::resync}}));
  EXPECT_TRUE(pending_.empty());
  pending_.note_resync();
  EXPECT_EQ(pending_.take(now_ + 999ms), Events{});
  EXPECT_EQ(pending_.take(now_ + 1s), (Events{{Kind::resync}}));
}

TEST_F(PendingEventsTest, MoreTasksThanItHoldsAreAResync) {
  for (std::size_t i = 0; i < PendingEvents::kMostTasks; ++i) {
    pending_.note_task("task" + std::to_string(i));
  }
  EXPECT_EQ(pending_.take(now_).size(), PendingEvents::kMostTasks);
  pending_.note_task("another");
  EXPECT_EQ(pending_.take(now_), (Events{{Kind::resync}}));
}

TEST_F(PendingEventsTest, ForgetsTasksThatItToldOf) {
  for (std::size_t i = 0; i < 10 * PendingEvents::kMostTasks; ++i) {
    pending_.note_task("task" + std::to_string(i));
    EXPECT_EQ(pending_.take(now_).size(), 1U);
    now_ += 10ms;
  }
}

}  // namespace
}  // namespace coffer::core
