#include "base/text.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace coffer {
namespace {

TEST(Utf8, AcceptsWellFormedText) {
  for (const char* good : {"", "plain", "Grüße", "日本語", "\xF0\x9F\x98\x80", "12345678é"}) {
    EXPECT_TRUE(is_utf8(good)) << good;
  }
}

TEST(Utf8, RefusesIllFormedText) {
  for (const char* bad : {"\xFF", "\xC0\xAF", "\xED\xA0\x80", "\xF4\x90\x80\x80", "abc\xC3",
                          "12345678\x80", "\xE2\x82"}) {
    EXPECT_FALSE(is_utf8(bad)) << bad;
  }
}

TEST(ControlCharacters, AreFoundInBothRanges) {
  EXPECT_TRUE(has_control_character(std::string_view("a\0b", 3)));
  EXPECT_TRUE(has_control_character("a\nb"));
  EXPECT_TRUE(has_control_character("\x7F"));
  EXPECT_TRUE(has_control_character("\xC2\x85"));
  EXPECT_FALSE(has_control_character("Grüße \xC2\xA0 日本"));
}

TEST(Characters, AreCountedAsCodePoints) {
  EXPECT_EQ(count_characters(""), 0u);
  EXPECT_EQ(count_characters("Grüße"), 5u);
}

TEST(Hex, IsLowerCase) {
  const std::byte bytes[] = {std::byte{0x00}, std::byte{0xAF}};
  EXPECT_EQ(to_hex(bytes), "00af");
}

TEST(CutUtf8, EndsWithAWholeCharacter) {
  EXPECT_EQ(cut_utf8("abc", 3), "abc");
  EXPECT_EQ(cut_utf8("abcd", 3), "abc");
  EXPECT_EQ(cut_utf8("a€b", 4), "a€");
  EXPECT_EQ(cut_utf8("a€b", 3), "a");
  EXPECT_EQ(cut_utf8("a€b", 2), "a");
  EXPECT_EQ(cut_utf8("€", 2), "");
  EXPECT_EQ(cut_utf8("", 2), "");
}

TEST(Ascii, OnlyItsLettersChangeTheirCase) {
  EXPECT_EQ(to_lower("AZ-[@Ü"), "az-[@Ü");
  EXPECT_EQ(to_upper("az-{`ü"), "AZ-{`ü");
}

TEST(Ascii, WordsAreEqualInAnyCase) {
  EXPECT_TRUE(equal_ignoring_case("Type", "tYPE"));
  EXPECT_FALSE(equal_ignoring_case("type", "types"));
  EXPECT_FALSE(equal_ignoring_case("[", "{"));
}

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
