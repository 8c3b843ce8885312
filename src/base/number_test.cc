#include <gtest/gtest.h>

#include <cstdint>

#include "base/text.h"

namespace coffer {
namespace {

TEST(Number, IsTheWholeText) {
  EXPECT_EQ(parse_number<std::uint16_t>("65535"), 65535);
  EXPECT_EQ(parse_number<int>("-7"), -7);
  EXPECT_EQ(parse_number<unsigned>("007"), 7U);
}

TEST(Number, IsNothingElse) {
  for (const char* text : {"", " 1", "1 ", "+1", "-1", "1.0", "0x1", "65536"}) {
    EXPECT_EQ(parse_number<std::uint16_t>(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace coffer
