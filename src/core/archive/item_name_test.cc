#include "core/archive/item_name.h"

#include <gtest/gtest.h>

namespace coffer::core {
namespace {

TEST(ItemNameTest, IsUtf8OrOfTheCharacterSet) {
  EXPECT_EQ(name_of_bytes("M\xC3\xBCll", CharacterSet::ibm_437), "Müll");
  EXPECT_EQ(name_of_bytes("M\x81ll", kNamesOfZips), "Müll");
  EXPECT_EQ(name_of_bytes("M\xFCll", kNamesOfTars), "Müll");
  EXPECT_EQ(name_of_bytes("\x93\xFA\x96\x7B", CharacterSet::shift_jis), "日本");
}

TEST(ItemNameTest, OfBytesThatTheSetLacksStaysWhatItIs) {
  EXPECT_EQ(name_of_bytes("a\x93", CharacterSet::shift_jis), "a\x93");
  EXPECT_EQ(name_of_bytes("M\xFCll", CharacterSet::utf_8), "M\xFCll");
}

TEST(ItemNameTest, OfAZipHasNoBackslashes) {
  EXPECT_EQ(name_of_zip("a\\b\\c.txt", "", kNamesOfZips), "a/b/c.txt");
  // Its second byte is that of a backslash.
  EXPECT_EQ(name_of_zip("\x95\x5C\\a", "", CharacterSet::shift_jis), "表/a");
}

TEST(ItemNameTest, StandsInTheUnicodeFieldOfAZip) {
  const std::string bytes = "M\x81ll";
  EXPECT_EQ(name_of_zip(bytes,
                        "\x01\x93\x27\x81\x25"
                        "Мусор",
                        kNamesOfZips),
            "Мусор");
  EXPECT_EQ(name_of_zip(bytes,
                        std::string("\x01"
                                    "abcd"
                                    "Мусор"),
                        kNamesOfZips),
            "Müll");  // Of another name.
  EXPECT_EQ(name_of_zip(bytes, "\x01", kNamesOfZips), "Müll");
}

}  // namespace
}  // namespace coffer::core
