#include "base/size_format.h"

#include <gtest/gtest.h>

namespace coffer {
namespace {

TEST(FormatSize, AlwaysOneDecimalAndAUnitOf1024) {
  EXPECT_EQ(format_size(0), "0.0 B");
  EXPECT_EQ(format_size(1023), "1023.0 B");
  EXPECT_EQ(format_size(1024), "1.0 KB");
  EXPECT_EQ(format_size(1536), "1.5 KB");
  EXPECT_EQ(format_size(3435973837), "3.2 GB");
  EXPECT_EQ(format_size(UINT64_MAX), "16.0 EB");
}

TEST(FormatSize, NeverWrites1024OfAUnit) {
  EXPECT_EQ(format_size(1024 * 1024 - 1), "1.0 MB");
}

TEST(ParseSize, ReadsBytesAndUnits) {
  EXPECT_EQ(parse_size("0"), 0u);
  EXPECT_EQ(parse_size("1048576"), 1048576u);
  EXPECT_EQ(parse_size("10GiB"), 10737418240u);
  EXPECT_EQ(parse_size("10 gb"), 10737418240u);
  EXPECT_EQ(parse_size("1.5K"), 1536u);
  EXPECT_EQ(parse_size("7B"), 7u);
  EXPECT_EQ(parse_size("2.0"), 2u);
  EXPECT_EQ(parse_size("0.0K"), 0u);
  EXPECT_EQ(parse_size("1.3K"), 1331u);
}

TEST(ParseSize, RefusesAnythingElse) {
  for (const char* bad :
       {"", "-1", "GiB", "10XB", "10GiBs", "1e3", "ten", "99999999999999999999", "16EB", " 1",
        "10 i", "+5", "nan", "inf", ".5", "1.5", "1.5B", "0.5", "0.0001K"}) {
    EXPECT_FALSE(parse_size(bad)) << bad;
  }
}

}  // namespace
}  // namespace coffer
