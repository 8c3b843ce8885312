#include "core/events/event_feed.h"

#include <gtest/gtest.h>

#include <thread>

#include "async/run.h"

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

TEST_F(PendingEventsTest, TellsOfASharesLastStateAtOnce) {
  pending_.note_share("__adm_1/", true);
  pending_.note_share("__adm_2/", true);
  pending_.note_share("__adm_1/", false);
  EXPECT_FALSE(pending_.empty());
  EXPECT_LE(pending_.next_due(), now_);
  EXPECT_EQ(pending_.take(now_),
            (Events{{Kind::unshared, "__adm_1/"}, {Kind::shared, "__adm_2/"}}));
  EXPECT_TRUE(pending_.empty());
  // Nothing waits for an interval: what may be reached is told when it changes.
  pending_.note_share("__adm_1/", true);
  EXPECT_EQ(pending_.take(now_), (Events{{Kind::shared, "__adm_1/"}}));
}

TEST_F(PendingEventsTest, MoreSharesThanItHoldsAreAResync) {
  for (std::size_t i = 0; i < PendingEvents::kMostTasks; ++i) {
    pending_.note_share("__adm_" + std::to_string(i) + "/", true);
  }
  pending_.note_share("__adm_0/", false);
  EXPECT_EQ(pending_.take(now_).size(), PendingEvents::kMostTasks);
  for (std::size_t i = 0; i <= PendingEvents::kMostTasks; ++i) {
    pending_.note_share("__adm_" + std::to_string(i) + "/", true);
  }
  EXPECT_EQ(pending_.take(now_), (Events{{Kind::resync}}));
  EXPECT_TRUE(pending_.empty());
}

TEST_F(PendingEventsTest, AResyncStandsForShares) {
  pending_.note_share("__adm_1/", true);
  pending_.note_resync();
  EXPECT_EQ(pending_.take(now_), (Events{{Kind::resync}}));
  EXPECT_TRUE(pending_.empty());
}

class EventFeedTest : public testing::Test {
 protected:
  std::optional<Events> next(const EventFeed::Reader& reader, EventFeed::Instant limit) {
    return run(feed_.next(reader.id, limit));
  }
  std::optional<Events> wait_for_next(const EventFeed::Reader& reader) {
    return next(reader, EventFeed::Instant::max());
  }
  std::optional<Events> now(const EventFeed::Reader& reader) {
    return next(reader, EventFeed::Instant::min());
  }

  EventFeed feed_{"feed", {"a", "b"}};
};

TEST_F(EventFeedTest, CountsItsEvents) {
  const auto reader = feed_.attach({});
  EXPECT_EQ(reader.number, 0U);
  feed_.folder_changed(0);
  feed_.task_changed("one");
  EXPECT_EQ(now(reader), (Events{{Kind::folder, "a", 1}, {Kind::task, "one", 2}}));
  EXPECT_EQ(now(reader), Events{});
}

TEST_F(EventFeedTest, WakesItsReader) {
  const auto reader = feed_.attach({});
  for (std::uint64_t number = 1; number <= 5; ++number) {
    std::thread other([&] { feed_.task_changed("task" + std::to_string(number)); });
    EXPECT_EQ(wait_for_next(reader),
              (Events{{Kind::task, "task" + std::to_string(number), number}}));
    other.join();
  }
}

TEST_F(EventFeedTest, TellsTheLastChangeWhenItsIntervalIsOver) {
  const auto reader = feed_.attach({});
  feed_.folder_changed(0);
  EXPECT_EQ(wait_for_next(reader)->size(), 1U);
  feed_.folder_changed(0);
  EXPECT_EQ(now(reader), Events{});
  EXPECT_EQ(wait_for_next(reader), (Events{{Kind::folder, "a", 2}}));
}

TEST_F(EventFeedTest, WakesItsReaderForAShare) {
  const auto reader = feed_.attach({});
  std::thread other([&] { feed_.share_changed("__adm_1/", true); });
  EXPECT_EQ(wait_for_next(reader), (Events{{Kind::shared, "__adm_1/", 1}}));
  other.join();
}

TEST_F(EventFeedTest, ReturnsNothingToTellAtTheLimit) {
  const auto reader = feed_.attach({});
  EXPECT_EQ(next(reader, std::chrono::steady_clock::now() + 5ms), Events{});
}

TEST_F(EventFeedTest, EndsReadersThatWait) {
  const auto reader = feed_.attach({});
  std::thread other([&] { feed_.detach(reader.id); });
  EXPECT_EQ(wait_for_next(reader), std::nullopt);
  other.join();
  EXPECT_FALSE(feed_.has_reader());
  const auto second = feed_.attach({});
  std::thread third([&] { feed_.attach({}); });
  EXPECT_EQ(wait_for_next(second), std::nullopt);
  third.join();
  // The second is gone, and takes nothing from the third.
  feed_.detach(second.id);
  EXPECT_TRUE(feed_.has_reader());
}

TEST_F(EventFeedTest, EndsForGood) {
  const auto reader = feed_.attach({});
  std::thread other([&] { feed_.end(); });
  EXPECT_EQ(wait_for_next(reader), std::nullopt);
  other.join();
  EXPECT_EQ(now(feed_.attach({})), std::nullopt);
}

TEST_F(EventFeedTest, AReaderThatMissedNothingIsToldNothing) {
  const auto first = feed_.attach({});
  feed_.account_changed();
  EXPECT_EQ(now(first), (Events{{Kind::account, "", 1}}));
  feed_.detach(first.id);
  const auto again = feed_.attach(1);
  EXPECT_EQ(again.number, 1U);
  EXPECT_EQ(now(again), Events{});
}

TEST_F(EventFeedTest, AReaderThatMissedSomethingIsToldOneResync) {
  const auto first = feed_.attach({});
  feed_.detach(first.id);
  feed_.folder_changed(0);
  feed_.folder_changed(1);
  const auto second = feed_.attach(0);
  EXPECT_EQ(now(second), (Events{{Kind::resync, "", 1}}));
  EXPECT_EQ(now(second), Events{});
}

TEST_F(EventFeedTest, AnEventLostOnTheWayIsAResyncToo) {
  const auto first = feed_.attach({});
  feed_.folder_changed(0);
  EXPECT_EQ(now(first)->size(), 1U);
  const auto second = feed_.attach(0);
  EXPECT_EQ(now(second), (Events{{Kind::resync, "", 2}}));
}

TEST_F(EventFeedTest, TellsOnceThatAFolderWasLost) {
  EXPECT_FALSE(feed_.take_lost());
  feed_.folder_lost(0);
  EXPECT_TRUE(feed_.take_lost());
  EXPECT_FALSE(feed_.take_lost());
}

}  // namespace

}  // namespace coffer::core
