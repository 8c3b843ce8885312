#include "core/archive/packed_item.h"

#include <gtest/gtest.h>

#include "base/text.h"

namespace coffer::core {
namespace {

std::string placed(std::string_view name) {
  const auto place = place_of(name);
  return place ? place->str() : "! " + place.error().message;
}

TEST(PackedNameTest, IsAPlaceInTheFolder) {
  EXPECT_EQ(placed("a"), "a");
  EXPECT_EQ(placed("./a/b"), "a/b");
  EXPECT_EQ(placed("a//b/./c/"), "a/b/c");
  EXPECT_EQ(placed("häuser/日本.txt"), "häuser/日本.txt");
  EXPECT_EQ(placed("...") + placed("a..b"), "...a..b");
  EXPECT_EQ(placed("."), "");
  EXPECT_EQ(placed("./"), "");
}

TEST(PackedNameTest, NeverLeadsOut) {
  for (const char* name : {"..", "../x", "a/..", "a/../x", "a/../../x", "./..", "/x", "/", "//x",
                           "///", "..\\x", "a\\b", "\\x", "C:x", "c:/x", "C:\\x", "C:"}) {
    const auto place = place_of(name);
    ASSERT_FALSE(place) << name;
    EXPECT_EQ(place.error().code, ErrorCode::invalid) << name;
  }
}

TEST(PackedNameTest, HoldsOnlyNamesThatMayShow) {
  const std::string partial = ".coffer-part-" + std::string(25, '0');
  for (const std::string& name :
       {std::string(), std::string("a\nb"), std::string("a\x7f"), std::string("M\xfcll"),
        std::string(256, 'n'), "a/" + std::string(256, 'n') + "/b", std::string("a\0b", 3),
        std::string(".coffer-bin"), std::string("a/.coffer-staging/b"), partial}) {
    const auto place = place_of(name);
    ASSERT_FALSE(place) << name;
    EXPECT_EQ(place.error().code, ErrorCode::invalid) << name;
  }
}

TEST(PackedNameTest, IsBounded) {
  std::string deep = "x";
  for (std::size_t i = 1; i < kMostPackedFolders; ++i) deep += "/x";
  EXPECT_EQ(placed(deep), deep);
  EXPECT_EQ(place_of(deep + "/x").error().code, ErrorCode::refused);
  EXPECT_EQ(place_of(std::string(kMostPackedNameBytes + 1, 'x')).error().code, ErrorCode::refused);
}

TEST(PackedNameTest, IsOneLineInAMessage) {
  EXPECT_EQ(quoted_name("häuser/日本"), "\"häuser/日本\"");
  EXPECT_EQ(quoted_name("M\xfcll"), "\"M\\xfcll\"");
  EXPECT_EQ(quoted_name("a\tb\n"), "\"a\\x09b\\x0a\"");
  const std::string long_name = quoted_name("x" + std::string(500, '\xc3') + "x");
  EXPECT_TRUE(is_utf8(long_name) && !has_control_character(long_name));
  EXPECT_TRUE(is_utf8(quoted_name(std::string(199, 'x') + "ä")));
}

TEST(Cp437Test, GivesEveryByteACharacter) {
  EXPECT_EQ(utf8_of_cp437("M\x81ll \x84\x94\xe1 \x9b.txt"), "Müll äöß ¢.txt");
  EXPECT_EQ(utf8_of_cp437("\x80\xdb\xff"), "Ç█\u00a0");
  std::string all;
  for (int byte = 1; byte < 256; ++byte) all += static_cast<char>(byte);
  EXPECT_TRUE(is_utf8(utf8_of_cp437(all)));
  EXPECT_EQ(count_characters(utf8_of_cp437(all)), 255u);
}

}  // namespace

}  // namespace coffer::core
