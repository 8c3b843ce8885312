#include "base/enum_words.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace coffer::fruit {

enum class Fruit : std::uint8_t { apple, pear, quince };

constexpr auto words_of(Fruit) {
  return enum_words<Fruit>(
      {{Fruit::pear, "pear"}, {Fruit::apple, "apple"}, {Fruit::quince, "quince"}});
}

enum class Incomplete : std::uint8_t { one, two };

constexpr auto words_of(Incomplete) {
  return enum_words<Incomplete>({{Incomplete::one, "one"}});
}

}  // namespace coffer::fruit

namespace coffer {
namespace {

using fruit::Fruit;

TEST(EnumWords, EveryValueHasItsWord) {
  EXPECT_EQ(word_of(Fruit::apple), "apple");
  EXPECT_EQ(word_of(Fruit::quince), "quince");
}

TEST(EnumWords, AWordLeadsToItsValue) {
  EXPECT_EQ(enum_from<Fruit>("pear"), Fruit::pear);
  EXPECT_EQ(enum_from<Fruit>("Pear"), std::nullopt);
  EXPECT_EQ(enum_from<Fruit>(""), std::nullopt);
}

TEST(EnumWords, AListHasTheOrderOfTheTable) {
  EXPECT_EQ(list_of_words<Fruit>(), "pear, apple, quince");
}

TEST(EnumWords, AValueOutsideOfTheEnumHasNoWord) {
  EXPECT_THROW((void)word_of(static_cast<Fruit>(7)), std::logic_error);
}

TEST(EnumWords, AnEnumeratorWithoutAWordIsNoticedByTheCompiler) {
  static_assert(detail::has_all_words<Fruit>());
  static_assert(!detail::has_all_words<fruit::Incomplete>());
}

}  // namespace
}  // namespace coffer
