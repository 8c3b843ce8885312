#include <gtest/gtest.h>

#include <string>

#include "http/serve_content.h"

namespace coffer::http {

void PrintTo(const ByteRange& range, std::ostream* out) {
  *out << range.offset << '+' << range.length;
}

namespace {

using Kind = RangeChoice::Kind;
using Ranges = std::vector<ByteRange>;

Ranges ranges_of(std::string_view header, std::uint64_t size) {
  const RangeChoice choice = choose_ranges(header, size);
  EXPECT_EQ(choice.kind, Kind::some) << header;
  return choice.ranges;
}

TEST(Ranges, ReadsOneRange) {
  EXPECT_EQ(ranges_of("bytes=0-0", 10), (Ranges{{0, 1}}));
  EXPECT_EQ(ranges_of("bytes=2-5", 10), (Ranges{{2, 4}}));
  EXPECT_EQ(ranges_of("bytes=0-9", 10), (Ranges{{0, 10}}));
  EXPECT_EQ(ranges_of("BYTES=0002-0005", 10), (Ranges{{2, 4}}));
}

TEST(Ranges, CutsARangeAtTheEndOfTheContent) {
  EXPECT_EQ(ranges_of("bytes=5-", 10), (Ranges{{5, 5}}));
  EXPECT_EQ(ranges_of("bytes=9-", 10), (Ranges{{9, 1}}));
  EXPECT_EQ(ranges_of("bytes=5-10", 10), (Ranges{{5, 5}}));
  EXPECT_EQ(ranges_of("bytes=-3", 10), (Ranges{{7, 3}}));
  EXPECT_EQ(ranges_of("bytes=-30", 10), (Ranges{{0, 10}}));
}

TEST(Ranges, TakesNumbersThatOverflowForTheLargest) {
  const std::string huge(40, '9');
  EXPECT_EQ(ranges_of("bytes=5-" + huge, 10), (Ranges{{5, 5}}));
  EXPECT_EQ(ranges_of("bytes=5-18446744073709551615", 10), (Ranges{{5, 5}}));
  EXPECT_EQ(ranges_of("bytes=-" + huge, 10), (Ranges{{0, 10}}));
  EXPECT_EQ(choose_ranges("bytes=" + huge + "-", 10).kind, Kind::none);
  EXPECT_EQ(choose_ranges("bytes=" + huge + '-' + huge, 10).kind, Kind::none);
  EXPECT_EQ(ranges_of("bytes=1-" + huge, ~0ull), (Ranges{{1, ~0ull - 1}}));
}

TEST(Ranges, PutsSeveralInOrderAndJoinsThoseThatOverlapOrTouch) {
  EXPECT_EQ(ranges_of("bytes=8-8,0-0,4-5", 10), (Ranges{{0, 1}, {4, 2}, {8, 1}}));
  EXPECT_EQ(ranges_of("bytes=0-4,2-6", 10), (Ranges{{0, 7}}));
  EXPECT_EQ(ranges_of("bytes=0-8,2-3", 10), (Ranges{{0, 9}}));
  EXPECT_EQ(ranges_of("bytes=5-6,3-4", 10), (Ranges{{3, 4}}));
  EXPECT_EQ(ranges_of("bytes=0-1,-2,0-1", 10), (Ranges{{0, 2}, {8, 2}}));
  EXPECT_EQ(ranges_of("bytes=3-3,0-,1-1", 10), (Ranges{{0, 10}}));
}

TEST(Ranges, TakesWhiteSpaceAndEmptyElementsBetweenRanges) {
  EXPECT_EQ(ranges_of("bytes= 0-0 ,\t2-2 ,, ,", 10), (Ranges{{0, 1}, {2, 1}}));
}

TEST(Ranges, DropsThoseOutsideTheContent) {
  EXPECT_EQ(ranges_of("bytes=10-,2-2,20-30", 10), (Ranges{{2, 1}}));
  EXPECT_EQ(choose_ranges("bytes=10-", 10).kind, Kind::none);
  EXPECT_EQ(choose_ranges("bytes=10-20,11-", 10).kind, Kind::none);
  EXPECT_EQ(choose_ranges("bytes=-0", 10).kind, Kind::none);
}

TEST(Ranges, IgnoresWhatIsMalformed) {
  for (const char* header :
       {"",           "bytes",       "bytes=",     "bytes=,",    "bytes=-",     "bytes=--1",
        "bytes=1--",  "bytes=a-b",   "bytes=1",    "bytes=5-4",  "bytes=1-2-3", "bytes=+1-2",
        "bytes=1-+2", "bytes=0x1-2", "bytes=1 -2", "bytes=1- 2", "bytes=0-1,x", "bytes=0-1;2-3",
        "bytes 0-1",  "bytes =0-1",  "items=0-1",  " bytes=0-1", "bytes==0-1",  "bytes=1.0-2"}) {
    EXPECT_EQ(choose_ranges(header, 10).kind, Kind::whole) << header;
  }
}

TEST(Ranges, IgnoresMoreThan64) {
  std::string header = "bytes=0-0";
  for (int i = 1; i < 64; ++i) header += ',' + std::to_string(2 * i) + '-' + std::to_string(2 * i);
  EXPECT_EQ(ranges_of(header, 1000).size(), 64u);
  EXPECT_EQ(choose_ranges(header + ",0-0", 1000).kind, Kind::whole);
  EXPECT_EQ(choose_ranges(header + ",5000-", 1000).kind, Kind::whole);
}

TEST(Ranges, FindsNothingInEmptyContentButItsEnd) {
  EXPECT_EQ(choose_ranges("bytes=0-", 0).kind, Kind::none);
  EXPECT_EQ(choose_ranges("bytes=0-5", 0).kind, Kind::none);
  EXPECT_EQ(choose_ranges("bytes=-0", 0).kind, Kind::none);
  EXPECT_EQ(choose_ranges("bytes=-5", 0).kind, Kind::whole);
}

}  // namespace
}  // namespace coffer::http
