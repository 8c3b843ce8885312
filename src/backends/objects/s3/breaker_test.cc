#include "backends/objects/s3/breaker.h"

#include <gtest/gtest.h>

namespace coffer::objects::s3 {
namespace {

using namespace std::chrono_literals;

struct Case {
  Breaker::Clock::time_point now{};
  Breaker breaker{[this] { return now; }};

  void outages(int count) {
    for (int i = 0; i < count; ++i) breaker.note_outage();
  }
};

TEST(Breaker, RefusesAfterThreeOutagesInARow) {
  Case test;
  test.outages(2);
  EXPECT_FALSE(test.breaker.note_answer());
  test.outages(2);
  EXPECT_EQ(test.breaker.refusal(), std::nullopt);
  test.outages(1);
  EXPECT_EQ(test.breaker.refusal(), 2s);
  test.now += 1500ms;
  EXPECT_EQ(test.breaker.refusal(), 1s);
}

TEST(Breaker, LetsOneRequestTryEveryTwoSeconds) {
  Case test;
  test.outages(3);
  for (int round = 0; round < 3; ++round) {
    test.now += 2s;
    EXPECT_EQ(test.breaker.refusal(), std::nullopt);
    EXPECT_EQ(test.breaker.refusal(), 2s);
  }
  EXPECT_TRUE(test.breaker.note_answer());
  EXPECT_FALSE(test.breaker.note_answer());
  EXPECT_EQ(test.breaker.refusal(), std::nullopt);
  EXPECT_EQ(test.breaker.refusal(), std::nullopt);
}

}  // namespace
}  // namespace coffer::objects::s3
