#include "backends/rclone/engine/rfc3339.h"

#include <gtest/gtest.h>

#include <string>

namespace coffer::rclone {
namespace {

std::string time(std::string_view text) {
  const auto time = parse_rfc3339(text);
  return time ? format_timestamp(*time) : "none";
}

TEST(Rfc3339, ReadsTimes) {
  EXPECT_EQ(time("2026-11-21T06:14:09Z"), "2026-11-21T06:14:09");
  EXPECT_EQ(time("2026-11-21T06:14:09.123456789Z"), "2026-11-21T06:14:09");
  EXPECT_EQ(time("2026-11-21T06:14:09.5+01:30"), "2026-11-21T04:44:09");
  EXPECT_EQ(time("2026-11-21T23:14:09-08:00"), "2026-11-22T07:14:09");
  const auto fine = parse_rfc3339("2026-11-21T06:14:09.123456789Z");
  ASSERT_TRUE(fine);
  EXPECT_EQ(fine->time_since_epoch().count() % 1'000'000'000, 123'456'789);
}

TEST(Rfc3339, ATimeBeyondIsTheLastThatThereIs) {
  for (const std::string_view text :
       {"2262-01-01T00:00:00Z", "2261-12-31T23:59:59.999999999-23:59", "2262-04-11T23:47:17Z",
        "9999-12-31T23:59:59.999999999-99:59"}) {
    EXPECT_EQ(parse_rfc3339(text), kLatest) << text;
  }
  EXPECT_EQ(time("0001-01-01T00:00:00Z"), "none");
}

TEST(Rfc3339, OtherTimesAreNone) {
  for (const std::string_view text :
       {"", "2026-11-21", "2026-11-21T06:14:09", "2026-11-21T06:14:09x", "2026-11-21T06:14:09.5",
        "2026-11-21T06:14:09+1:00", "2026-11-21T06:14:09+-1:00", "2026-13-21T06:14:09Z"}) {
    EXPECT_EQ(time(text), "none") << text;
  }
}

}  // namespace
}  // namespace coffer::rclone
