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
  for (const char* name : {"..", "../x", "a/..", "a/../x", "a/../../x", "./..", "/..", "C:/../x",
                           "/C:/../..", "..\\x", "a\\b", "\\x", "C:\\x"}) {
    const auto place = place_of(name);
    ASSERT_FALSE(place) << name;
    EXPECT_EQ(place.error().code, ErrorCode::invalid) << name;
  }
}

TEST(PackedNameTest, OfAWholeDiskIsBelowTheFolder) {
  EXPECT_EQ(placed("/x/y"), "x/y");
  EXPECT_EQ(placed("C:/x"), "x");
  EXPECT_EQ(placed("c:///x"), "x");
  EXPECT_EQ(placed("//server/share/x"), "server/share/x");
  EXPECT_EQ(placed("/"), "");
  EXPECT_EQ(placed("c:x"), "c:x");  // A name on Unix.
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

}  // namespace

}  // namespace coffer::core
