#include "base/name_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace coffer {
namespace {

using Names = std::vector<std::string>;

Names sorted(std::string_view language, Names names) {
  std::ranges::shuffle(names, std::mt19937{7});
  std::ranges::sort(
      names, [&](const auto& a, const auto& b) { return NameOrder::of(language).less(a, b); });
  return names;
}

bool comes_before(std::string_view a, std::string_view b, std::string_view language = "") {
  const NameOrder& order = NameOrder::of(language);
  return order.less(a, b) && !order.less(b, a);
}

TEST(NameOrderTest, SortsAsPeopleExpect) {
  const Names expected{"",      "-dash", "1",      "02",      "2",      "10",
                       "a",     "B",     "c",      "file",    "file 3", "file1",
                       "File2", "file2", "file10", "file10b", "zebra"};
  EXPECT_EQ(sorted("", expected), expected);
}

TEST(NameOrderTest, LettersWithAccentsStandByThoseWithout) {
  const Names expected{"Eclair",      "\u00C9clair", "eclairs", "f",
                       "Stra\u00DFe", "strasse 2",   "Zebra",   "Z\u00FCrich"};
  for (const auto* language : {"", "de", "fr", "unknown"})
    EXPECT_EQ(sorted(language, expected), expected) << language;
}

TEST(NameOrderTest, EachLanguageHasItsOwn) {
  EXPECT_TRUE(comes_before("\u00E4rt", "b", "de"));
  EXPECT_TRUE(comes_before("z", "\u00E4rt", "sv"));
  EXPECT_TRUE(comes_before("nz", "\u00F1a", "es"));
  EXPECT_TRUE(comes_before("\u00F1a", "nz", "en"));
  EXPECT_TRUE(comes_before("\u0451\u043B\u043A\u0430", "\u0436", "ru"));
  EXPECT_TRUE(comes_before("\u963F", "\u5317", "zh-Hans"));  // A before Bei, by pinyin.
}

TEST(NameOrderTest, TheLanguagesAreSortedAndKnown) {
  const auto languages = NameOrder::languages();
  EXPECT_TRUE(std::ranges::is_sorted(languages));
  EXPECT_NE(languages.front(), "");
  for (const auto language : languages)
    EXPECT_NE(&NameOrder::of(language), &NameOrder::of("")) << language;
}

TEST(NameOrderTest, NumbersCompareByValueBeyondAnyInteger) {
  EXPECT_TRUE(comes_before("99999999999999999999998", "99999999999999999999999"));
  EXPECT_TRUE(comes_before("99999999999999999999999", "100000000000000000000000"));
  EXPECT_TRUE(comes_before(std::string(250, '9'), std::string(251, '9')));
}

TEST(NameOrderTest, TiesAreBrokenByBytes) {
  EXPECT_TRUE(comes_before("A", "a"));
  EXPECT_TRUE(comes_before("x01", "x1"));
  EXPECT_FALSE(NameOrder::of("").less("same", "same"));
}

TEST(NameOrderTest, AnyBytesAndLengthsHaveAPlace) {
  const std::string long_name(100'000, 'x');
  EXPECT_TRUE(comes_before(long_name + "a", long_name + "b"));
  EXPECT_NE(comes_before("\xFF", "\xFE"), comes_before("\xFE", "\xFF"));
}

}  // namespace
}  // namespace coffer
