#include <gtest/gtest.h>

#include "base/text.h"

namespace coffer {
namespace {

TEST(Ascii, OnlyItsLettersChangeTheirCase) {
  EXPECT_EQ(to_lower("AZ-[@Ü"), "az-[@Ü");
  EXPECT_EQ(to_upper("az-{`ü"), "AZ-{`ü");
}

TEST(Ascii, WordsAreEqualInAnyCase) {
  EXPECT_TRUE(equal_ignoring_case("Type", "tYPE"));
  EXPECT_FALSE(equal_ignoring_case("type", "types"));
  EXPECT_FALSE(equal_ignoring_case("[", "{"));
}

}  // namespace
}  // namespace coffer
