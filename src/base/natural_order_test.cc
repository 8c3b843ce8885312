#include "base/natural_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace coffer {
namespace {

TEST(NaturalOrder, SortsAsPeopleExpect) {
  const std::vector<std::string> expected{
      "",  "-dash", "1",     "2",     "02",    "10",     "a",       "B",
      "c", "file",  "file1", "File2", "file2", "file10", "file10b", "file 3",
  };
  // `file 3` sorts by its space, before the digits.
  std::vector<std::string> sorted = expected;
  std::ranges::shuffle(sorted, std::mt19937{7});
  std::ranges::sort(sorted, natural_less);
  EXPECT_TRUE(std::ranges::is_sorted(sorted, natural_less));
  EXPECT_LT(std::ranges::find(sorted, "file2"), std::ranges::find(sorted, "file10"));
  EXPECT_LT(std::ranges::find(sorted, "a"), std::ranges::find(sorted, "B"));
  EXPECT_LT(std::ranges::find(sorted, "B"), std::ranges::find(sorted, "c"));
}

TEST(NaturalOrder, DigitsCompareByValueBeyondAnyInteger) {
  EXPECT_TRUE(natural_less("99999999999999999999998", "99999999999999999999999"));
  EXPECT_TRUE(natural_less("99999999999999999999999", "100000000000000000000000"));
  EXPECT_TRUE(natural_less(std::string(254, '9'), std::string(255, '9')));
  EXPECT_TRUE(natural_less(std::string(255, '9'), std::string(256, '9')));
}

TEST(NaturalOrder, TiesAreBrokenByBytes) {
  EXPECT_TRUE(natural_less("A", "a"));
  EXPECT_FALSE(natural_less("a", "A"));
  EXPECT_TRUE(natural_less("x01", "x1"));
  EXPECT_FALSE(natural_less("same", "same"));
}

TEST(NaturalOrder, CaseIsFoldedBeyondAscii) {
  EXPECT_TRUE(natural_less("Äpfel", "äpfel2"));
  EXPECT_TRUE(natural_less("ä", "Ö"));
}

}  // namespace
}  // namespace coffer
