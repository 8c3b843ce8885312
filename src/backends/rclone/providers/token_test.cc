#include "backends/rclone/providers/token.h"

#include <gtest/gtest.h>

namespace coffer::rclone {
namespace {

using namespace std::chrono_literals;

const Timestamp kNoon = parse_timestamp("2026-11-22T12:00:00").value();
constexpr const char* kUntilOne = R"({"access_token":"a","expiry":"2026-11-22T13:00:00Z"})";
constexpr const char* kUntilTwo = R"({"access_token":"b","expiry":"2026-11-22T14:00:00Z"})";
constexpr const char* kForEver = R"({"access_token":"c","expiry":"0001-01-01T00:00:00Z"})";

TEST(Token, ADriveWithoutOneIsNeverAskedForIt) {
  Token token("");
  EXPECT_FALSE(token.may_be_renewed(false, kNoon));
  EXPECT_FALSE(token.may_be_renewed(true, kNoon));
  EXPECT_FALSE(token.take_stored(kUntilOne));
}

TEST(Token, IsLookedAtNowAndThen) {
  for (const char* text : {kUntilOne, kForEver, "not JSON"}) {
    Token token(text);
    EXPECT_TRUE(token.may_be_renewed(false, kNoon)) << text;
    EXPECT_FALSE(token.may_be_renewed(false, kNoon + 4s)) << text;
    EXPECT_TRUE(token.may_be_renewed(false, kNoon + 5s)) << text;
    EXPECT_FALSE(token.may_be_renewed(false, kNoon + 9s)) << text;
  }
}

TEST(Token, IsLookedAtWhenSomethingFailed) {
  Token token(kUntilOne);
  EXPECT_TRUE(token.may_be_renewed(true, kNoon));
  EXPECT_TRUE(token.may_be_renewed(true, kNoon + 1s));
}

TEST(Token, IsLookedAtWhenItIsAboutToRunOut) {
  Token token(kUntilOne);
  EXPECT_TRUE(token.may_be_renewed(false, kNoon + 58min));
  EXPECT_TRUE(token.may_be_renewed(false, kNoon + 58min + 1s));
  ASSERT_TRUE(token.renew(kUntilTwo));
  EXPECT_FALSE(token.may_be_renewed(false, kNoon + 58min + 2s));
}

TEST(Token, IsLookedAtWhenTheClockWasSetBack) {
  Token token(kUntilOne);
  EXPECT_TRUE(token.may_be_renewed(false, kNoon));
  EXPECT_TRUE(token.may_be_renewed(false, kNoon - 1h));
}

TEST(Token, AnotherLoginIsNews) {
  Token token(kUntilOne);
  EXPECT_TRUE(token.renew(kUntilTwo));
  EXPECT_EQ(token.text(), kUntilTwo);
  EXPECT_FALSE(token.renew(kUntilTwo));
}

TEST(Token, TheSameLoginThatRanOutIsNone) {
  Token token(kUntilOne);
  EXPECT_FALSE(token.renew(R"({"access_token":"a","expiry":"2026-11-22T12:00:00Z"})"));
  EXPECT_FALSE(token.renew(""));
  EXPECT_EQ(token.text(), kUntilOne);
}

TEST(Token, OneThatWasStoredSinceIsTaken) {
  Token token(kUntilOne);
  EXPECT_FALSE(token.take_stored(kUntilOne));
  EXPECT_FALSE(token.take_stored(""));
  EXPECT_TRUE(token.take_stored(kUntilTwo));
  EXPECT_EQ(token.text(), kUntilTwo);
}

TEST(Token, OneThatWasStoredBeforeIsNot) {
  Token token(kUntilTwo);
  EXPECT_FALSE(token.take_stored(kUntilOne));
  EXPECT_EQ(token.text(), kUntilTwo);
}

TEST(Token, OneThatNeverRunsOutIsTakenWhenItIsAnother) {
  Token token(kForEver);
  EXPECT_TRUE(token.take_stored(R"({"access_token":"d","expiry":"0001-01-01T00:00:00Z"})"));
}

}  // namespace
}  // namespace coffer::rclone
