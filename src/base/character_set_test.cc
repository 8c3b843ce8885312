#include "base/character_set.h"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <thread>
#include <vector>

#include "base/text.h"

namespace coffer {
namespace {

using enum CharacterSet;

struct Word {
  CharacterSet set;
  std::string bytes;
  std::string text;
};

const std::vector<Word>& words() {
  static const std::vector<Word> all{
      {utf_8, "\xC3\xA4\xE2\x82\xAC", "ä€"},
      {ibm_437, "\x84rger \xE1", "ärger ß"},
      {ibm_720, "\xA0\x9F", "با"},
      {ibm_737, "\x80\xE1", "Αά"},
      {ibm_775, "\xD1", "č"},
      {ibm_850, "\x9D\xB7", "ØÀ"},
      {ibm_852, "\x88\xE7", "łš"},
      {ibm_857, "\x98\xA7", "İğ"},
      {ibm_862, "\x80\x81", "אב"},
      {ibm_866, "\x8F\xE0\xA8", "При"},
      {windows_1250, "\xB3\x9A", "łš"},
      {windows_1251, "\xCF\xF0\xE8", "При"},
      {windows_1252, "\x80\xFC", "€ü"},
      {windows_1253, "\xC1\xDC", "Αά"},
      {windows_1254, "\xDD\xF0", "İğ"},
      {windows_1255, "\xE0\xE1", "אב"},
      {windows_1256, "\xC8\xC7", "با"},
      {windows_1257, "\xE8", "č"},
      {windows_1258, "\xF0\xF5", "đơ"},
      {iso_8859_1, "\xFC\xDF", "üß"},
      {iso_8859_2, "\xB3\xB9", "łš"},
      {iso_8859_15, "\xA4\xFC", "€ü"},
      {koi8_r, "\xF0\xD2\xC9", "При"},
      {shift_jis, "\x93\xFA\x96\x7B\\\x87\x40", "日本\\①"},  // The last is Windows's.
      {euc_jp, "\xC6\xFC\xCB\xDC", "日本"},
      {gb18030, "\xD6\xD0\xCE\xC4\x94\x39\xDA\x33", "中文💩"},
      {big5, "\xA4\xA4\xA4\xE5", "中文"},
      {euc_kr, "\xC7\xD1\xB1\xDB\x8C\x63", "한글똠"},  // The last is Windows's.
      {tis_620, "\xA1\xD2", "กา"},
  };
  return all;
}

TEST(CharacterSetTest, EachConvertsThereAndBack) {
  EXPECT_EQ(words().size(), words_of(CharacterSet()).size());
  for (const auto& [set, bytes, text] : words()) {
    EXPECT_EQ(to_utf8(set, bytes), text) << word_of(set);
    EXPECT_EQ(from_utf8(set, text), bytes) << word_of(set);
  }
}

TEST(CharacterSetTest, AsciiIsTheSameInAll) {
  std::string ascii;
  for (char c = ' '; c <= '~'; ++c) ascii += c;
  for (const auto& [set, word] : words_of(CharacterSet())) {
    EXPECT_EQ(to_utf8(set, ascii), ascii) << word;
    EXPECT_EQ(from_utf8(set, ascii), ascii) << word;
    EXPECT_EQ(to_utf8(set, ""), "") << word;
    EXPECT_EQ(from_utf8(set, ""), "") << word;
  }
}

TEST(CharacterSetTest, WhatASetLacksIsNothing) {
  EXPECT_EQ(from_utf8(ibm_437, "a日b"), std::nullopt);
  EXPECT_EQ(from_utf8(windows_1252, "Ω"), std::nullopt);
  EXPECT_EQ(from_utf8(shift_jis, "💩"), std::nullopt);
  EXPECT_EQ(from_utf8(iso_8859_1, "€"), std::nullopt);
  EXPECT_EQ(from_utf8(windows_1252, "ａ"), std::nullopt);  // No letter that looks alike.
}

TEST(CharacterSetTest, WhatIsInvisibleIsNotLeftOut) {
  for (const std::string name : {".\u200B.", "a\u200E.txt", "\u200B", "\u2060a", "a\uFE0F",
                                 "a\uFEFF", "a\u115F", "a\U000E0001", "a\u202Eb"}) {
    for (const auto& [set, word] : words_of(CharacterSet())) {
      const auto bytes = from_utf8(set, name);
      EXPECT_TRUE(!bytes || to_utf8(set, *bytes) == name) << word << ' ' << name;
    }
    EXPECT_EQ(from_utf8(ibm_437, name), std::nullopt) << name;
    EXPECT_EQ(from_utf8(shift_jis, name), std::nullopt) << name;
  }
  EXPECT_EQ(from_utf8(windows_1252, "a\u00ADb"),
            "a\xAD"
            "b");  // This one is in the set.
}

TEST(CharacterSetTest, BytesThatMeanNothingAreNothing) {
  EXPECT_EQ(to_utf8(utf_8, "a\xFF"), std::nullopt);
  EXPECT_EQ(to_utf8(shift_jis, "a\x93"), std::nullopt);  // Half a character.
  EXPECT_EQ(to_utf8(euc_jp, "\xC6z"), std::nullopt);
  EXPECT_EQ(to_utf8(gb18030, "\xFF"), std::nullopt);
  EXPECT_EQ(to_utf8(big5, "\xA4"), std::nullopt);
  EXPECT_EQ(from_utf8(ibm_437, "a\xFF"), std::nullopt);
}

TEST(CharacterSetTest, AFailureLeavesNothingForTheNext) {
  EXPECT_EQ(to_utf8(shift_jis, "\x96"), std::nullopt);
  EXPECT_EQ(to_utf8(shift_jis, "{"), "{");  // No second half.
}

TEST(CharacterSetTest, AnyBytesAreTextOrNothing) {
  for (const auto& [set, word] : words_of(CharacterSet())) {
    for (unsigned first = 0; first < 256; ++first) {
      for (unsigned second = 0; second < 256; second += 11) {
        const std::string bytes{static_cast<char>(first), static_cast<char>(second)};
        const auto text = to_utf8(set, bytes);
        ASSERT_TRUE(!text || is_utf8(*text)) << word << ' ' << first << ' ' << second;
        EXPECT_FALSE(text && text->contains("\uFFFD")) << word << ' ' << first;
      }
    }
  }
}

TEST(CharacterSetTest, ThreadsDoNotDisturbOneAnother) {
  std::array<bool, 4> is_right{};
  {
    std::vector<std::jthread> threads;
    for (bool& right : is_right) {
      threads.emplace_back([&right] {
        right = true;
        for (int round = 0; round < 200; ++round) {
          for (const auto& [set, bytes, text] : words()) right &= to_utf8(set, bytes) == text;
        }
      });
    }
  }
  for (const bool right : is_right) EXPECT_TRUE(right);
}

TEST(CharacterSetTest, NamesAreThoseOfIana) {
  EXPECT_EQ(enum_from<CharacterSet>("windows-1252"), windows_1252);
  EXPECT_EQ(enum_from<CharacterSet>("shift_jis"), shift_jis);
  EXPECT_EQ(enum_from<CharacterSet>("latin1"), std::nullopt);
}

}  // namespace
}  // namespace coffer
