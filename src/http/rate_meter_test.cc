#include <gtest/gtest.h>

#include "http/transfer_meter.h"

namespace coffer::http {
namespace {

using namespace std::chrono_literals;

TEST(RateMeter, JudgesWholeWindowsByTheirAverage) {
  RateMeter meter(100, 10s);
  EXPECT_TRUE(meter.keeps_up(9s, 0));
  EXPECT_TRUE(meter.keeps_up(1s, 1000));
  EXPECT_TRUE(meter.keeps_up(1s, 999'999));
  EXPECT_TRUE(meter.keeps_up(9s, 0));
  EXPECT_TRUE(meter.keeps_up(5s, 499));
  EXPECT_FALSE(meter.keeps_up(5s, 500)) << "what came before the window counts no more";
}

TEST(RateMeter, MeasuresALongWaitByItsLength) {
  RateMeter meter(100, 10s);
  EXPECT_FALSE(meter.keeps_up(20s, 1500));
  EXPECT_TRUE(meter.keeps_up(20s, 2000));
}

TEST(RateMeter, NeverMindsBytesThatTookNoTime) {
  RateMeter meter(100, 10s);
  for (int i = 0; i < 1000; ++i) EXPECT_TRUE(meter.keeps_up(0s, 1));
}

TEST(RateMeter, AsksForNothingAtRateZero) {
  RateMeter meter(0, 10s);
  EXPECT_TRUE(meter.keeps_up(1h, 0));
}

}  // namespace
}  // namespace coffer::http
