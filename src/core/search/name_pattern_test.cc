#include "core/search/name_pattern.h"

#include <gtest/gtest.h>

namespace coffer::core {
namespace {

bool matches(std::string_view pattern, std::string_view name) {
  return NamePattern(pattern).matches(name);
}

TEST(NamePatternTest, StandsSomewhereInTheNameWithoutRegardToCase) {
  EXPECT_TRUE(matches("photo", "My PHOTO.jpg"));
  EXPECT_TRUE(matches("GRÖSSE", "größe.txt"));
  EXPECT_TRUE(matches("мир", "МИР"));
  EXPECT_TRUE(matches("o\u0308", "sch\u00D6n"));
  EXPECT_FALSE(matches("photos", "photo"));
  EXPECT_TRUE(matches("[a]", "x[A]y"));
}

TEST(NamePatternTest, FitsTheWholeNameWithStarsAndMarks) {
  EXPECT_TRUE(matches("*.jpg", "A.JPG"));
  EXPECT_FALSE(matches("*.jpg", "a.jpg.txt"));
  EXPECT_TRUE(matches("a*b*c", "aXXbYYc"));
  EXPECT_TRUE(matches("a*b*c", "abbbcbc"));
  EXPECT_FALSE(matches("a*b*c", "abcd"));
  EXPECT_TRUE(matches("?.txt", "日.txt"));
  EXPECT_FALSE(matches("?.txt", "ab.txt"));
  EXPECT_TRUE(matches("*?日", "日日"));
  EXPECT_TRUE(matches("*", "anything"));
  EXPECT_FALSE(matches("?", ""));
  EXPECT_TRUE(matches("**", ""));
}

TEST(NamePatternTest, FindsWhatHasStarsAndMarksItself) {
  EXPECT_TRUE(matches("ok?", "is it ok?.txt"));
  EXPECT_TRUE(matches("ok?", "oka"));
  EXPECT_TRUE(matches("a*b", "x a*b y"));
  EXPECT_TRUE(matches("*", "5 * 5"));
}

TEST(NamePatternTest, LeavesAccentsOut) {
  EXPECT_TRUE(matches("resume", "My R\u00E9sum\u00E9.pdf"));
  EXPECT_TRUE(matches("r\u00E9sum\u00E9", "resume.pdf"));
  EXPECT_TRUE(matches("?l", "\u00E9l"));
}

TEST(NamePatternTest, TakesNoTimeForManyStars) {
  std::string pattern;
  for (int i = 0; i < 60; ++i) pattern += "*a";
  EXPECT_FALSE(matches(pattern + "b", std::string(250, 'a')));
}

TEST(NamePatternTest, TellsAPartOfAllThatMatch) {
  EXPECT_EQ(NamePattern("Größe").part(), "grosse");
  EXPECT_EQ(NamePattern("*.JPG").part(), ".jpg");
  EXPECT_EQ(NamePattern("a*long?er*b").part(), "long");
  EXPECT_EQ(NamePattern("*?*").part(), "");
}

}  // namespace
}  // namespace coffer::core
