#include "base/clock.h"

#include <gtest/gtest.h>

#include <array>
#include <limits>

namespace coffer {
namespace {

using namespace std::chrono_literals;
constexpr Timestamp kMoment{std::chrono::sys_days{std::chrono::year{2026} / 11 / 21} + 6h + 14min +
                            9s + 123456789ns};

TEST(Clock, TimestampIsUtcWholeSecondsWithoutOffset) {
  EXPECT_EQ(format_timestamp(kMoment), "2026-11-21T06:14:09");
  EXPECT_EQ(format_timestamp(Timestamp{}), "1970-01-01T00:00:00");
}

TEST(Clock, TimesBeforeTheEpochRoundDown) {
  EXPECT_EQ(format_timestamp(Timestamp{-1ns}), "1969-12-31T23:59:59");
}

TEST(Clock, TimestampIsReadBack) {
  EXPECT_EQ(parse_timestamp("2026-11-21T06:14:09"),
            std::chrono::floor<std::chrono::seconds>(kMoment));
  for (const char* bad : {"", "2026-11-21", "2026-13-21T06:14:09", "2026-11-21T24:14:09",
                          "2026-11-21T06:14:09Z", "2026-11-2xT06:14:09"}) {
    EXPECT_FALSE(parse_timestamp(bad)) << bad;
  }
}

TEST(Clock, HttpDateIsAnImfFixdate) {
  EXPECT_EQ(format_http_date(kMoment), "Sat, 21 Nov 2026 06:14:09 GMT");
  EXPECT_EQ(parse_http_date("Sat, 21 Nov 2026 06:14:09 GMT"),
            std::chrono::floor<std::chrono::seconds>(kMoment));
  EXPECT_EQ(format_http_date(Timestamp()), "Thu, 01 Jan 1970 00:00:00 GMT");
  EXPECT_EQ(format_http_date(timestamp_of(951'782'400)), "Tue, 29 Feb 2000 00:00:00 GMT");
  for (const Timestamp time : {kEarliest, timestamp_of(-1), kLatest}) {
    EXPECT_EQ(parse_http_date(format_http_date(time)),
              std::chrono::floor<std::chrono::seconds>(time));
  }
}

TEST(Clock, YearsThatATimestampCannotHoldAreNothingOrTheLast) {
  for (const char* early : {"0001-01-01T00:00:00", "1677-12-31T23:59:59"}) {
    EXPECT_FALSE(parse_timestamp(early)) << early;
  }
  for (const char* late : {"2262-01-01T00:00:00", "9999-12-31T23:59:59"}) {
    EXPECT_EQ(parse_timestamp(late), kLatest) << late;
  }
  for (const char* near : {"1678-01-01T00:00:00", "2261-12-31T23:59:59"}) {
    const auto time = parse_timestamp(near);
    ASSERT_TRUE(time) << near;
    EXPECT_EQ(format_timestamp(*time), near);
  }
  EXPECT_FALSE(parse_http_date("Mon, 01 Jan 0001 00:00:00 GMT"));
}

TEST(Clock, WhatATimestampCannotHoldIsTheFirstOrTheLast) {
  constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
  constexpr auto kLeast = std::numeric_limits<std::int64_t>::min();
  const std::array<std::int64_t, 4> lates{9'214'646'400, 10'000'000'000, 1LL << 60, kMost};
  for (const std::int64_t late : lates) {
    EXPECT_EQ(format_timestamp(timestamp_of(late, 999'999'999)), "2261-12-31T23:59:59") << late;
  }
  const std::array<std::int64_t, 4> earlies{-9'214'560'001, -10'000'000'000, -(1LL << 60), kLeast};
  for (const std::int64_t early : earlies) {
    EXPECT_EQ(format_timestamp(timestamp_of(early)), "1678-01-01T00:00:00") << early;
  }
  EXPECT_EQ(format_timestamp(timestamp_of(-9'214'560'000LL)), "1678-01-01T00:00:00");
  EXPECT_EQ(format_timestamp(timestamp_of(9'214'646'398LL)), "2261-12-31T23:59:58");
  EXPECT_EQ(timestamp_of(-1, 999'999'999), Timestamp{-1ns});
}

TEST(Clock, DatesBeyondAreBoundedToo) {
  using std::chrono::January;
  using std::chrono::year;
  EXPECT_EQ(timestamp_of(year{9999} / January / 1, 0s), kLatest);
  EXPECT_EQ(timestamp_of(year{1} / January / 1, 0s), kEarliest);
  EXPECT_EQ(timestamp_of(year{2026} / 11 / 21, 6h + 14min + 9s),
            std::chrono::floor<std::chrono::seconds>(kMoment));
}

TEST(Clock, TimesThatCannotBeKeptAreUnknown) {
  for (const Timestamp kept : {kMoment, kEarliest + 1ns, kLatest - 1ns, Timestamp(1ns)}) {
    EXPECT_EQ(known(kept), kept);
  }
  for (const Timestamp other :
       {kEarliest, kLatest, Timestamp(), Timestamp::min(), Timestamp::max()}) {
    EXPECT_EQ(known(other), std::nullopt);
  }
}

TEST(Clock, BrokenHttpDatesAreNothing) {
  for (const char* bad : {"", "Saturday, 21-Nov-26 06:14:09 GMT", "Sat Nov 21 06:14:09 2026",
                          "Sat, 21 Foo 2026 06:14:09 GMT", "Sat, 31 Feb 2026 06:14:09 GMT",
                          "Sat, 21 Nov 2026 06:14:09 CET"}) {
    EXPECT_FALSE(parse_http_date(bad)) << bad;
  }
}

/// Ends with this machine's clock.
struct FollowedClock {
  ~FollowedClock() { follow_own_clock(); }
};

TEST(Clock, FollowsAnotherMachinesClock) {
  const FollowedClock followed;
  const auto here = std::chrono::steady_clock::now();
  follow_clock(kMoment, here, here);
  const auto shown = now() - kMoment;
  EXPECT_GE(shown, 0ns);
  EXPECT_LE(shown, std::chrono::steady_clock::now() - here);
  follow_own_clock();
  EXPECT_GT(now() - std::chrono::system_clock::now(), -1s);
}

TEST(Clock, DoesNotJumpWhileItMayBeRight) {
  const FollowedClock followed;
  const auto here = std::chrono::steady_clock::now();
  follow_clock(kMoment, here, here);
  // Asked between a second ago and now, so half a second of difference tells nothing.
  follow_clock(kMoment - 500ms, here - 1s, here);
  EXPECT_GE(now(), kMoment);
  follow_clock(kMoment - 10min, here - 1s, here);
  EXPECT_LT(now(), kMoment - 9min);
}

}  // namespace
}  // namespace coffer
