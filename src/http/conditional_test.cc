#include "http/conditional.h"

#include <gtest/gtest.h>

namespace coffer::http {
namespace {

constexpr std::string_view kTag = "\"e\"";
constexpr std::string_view kBefore = "Sat, 21 Nov 2026 06:14:08 GMT";
constexpr std::string_view kSame = "Sat, 21 Nov 2026 06:14:09 GMT";
constexpr std::string_view kAfter = "Sat, 21 Nov 2026 06:14:10 GMT";

/// Within the second of kSame: a date in a header has no fractions.
Timestamp modified_at() {
  return *parse_http_date(kSame) + std::chrono::milliseconds(900);
}

Request request_with(std::vector<Header> headers) {
  Request request;
  request.method = Method::get;
  request.headers = std::move(headers);
  return request;
}

Precondition check(std::vector<Header> headers) {
  return check_preconditions(request_with(std::move(headers)), kTag, modified_at());
}

bool applies(std::vector<Header> headers, std::chrono::seconds age = std::chrono::days(1)) {
  const Timestamp now = *parse_http_date(kSame) + age;
  return range_applies(request_with(std::move(headers)), kTag, modified_at(), now);
}

constexpr auto kPassed = Precondition::passed;
constexpr auto kNotModified = Precondition::not_modified;
constexpr auto kFailed = Precondition::failed;

TEST(Conditional, PassesWithoutConditions) {
  EXPECT_EQ(check({}), kPassed);
}

TEST(Conditional, IfMatchComparesStrongly) {
  EXPECT_EQ(check({{"If-Match", "\"e\""}}), kPassed);
  EXPECT_EQ(check({{"if-match", "*"}}), kPassed);
  EXPECT_EQ(check({{"If-Match", "\"a\", \"b,c\" ,\"e\""}}), kPassed);
  EXPECT_EQ(check({{"If-Match", "\"a\""}, {"If-Match", "\"e\""}}), kPassed);
  EXPECT_EQ(check({{"If-Match", "\"a\""}}), kFailed);
  EXPECT_EQ(check({{"If-Match", "W/\"e\""}}), kFailed);
  EXPECT_EQ(check({{"If-Match", "e"}}), kFailed);
  EXPECT_EQ(check({{"If-Match", ""}}), kFailed);
  EXPECT_EQ(check({{"If-Match", "\"a, \"e"}}), kFailed);
}

TEST(Conditional, IfNoneMatchComparesWeakly) {
  EXPECT_EQ(check({{"If-None-Match", "\"e\""}}), kNotModified);
  EXPECT_EQ(check({{"If-None-Match", "W/\"e\""}}), kNotModified);
  EXPECT_EQ(check({{"If-None-Match", "\"a\",W/\"e\""}}), kNotModified);
  EXPECT_EQ(check({{"If-None-Match", " * "}}), kNotModified);
  EXPECT_EQ(check({{"If-None-Match", "\"a\", W/\"b\""}}), kPassed);
  EXPECT_EQ(check({{"If-None-Match", "w/\"e\""}}), kPassed);
  EXPECT_EQ(check({{"If-None-Match", "e"}}), kPassed);
}

TEST(Conditional, IfUnmodifiedSinceComparesWholeSeconds) {
  EXPECT_EQ(check({{"If-Unmodified-Since", kBefore}}), kFailed);
  EXPECT_EQ(check({{"If-Unmodified-Since", kSame}}), kPassed);
  EXPECT_EQ(check({{"If-Unmodified-Since", kAfter}}), kPassed);
}

TEST(Conditional, IfModifiedSinceComparesWholeSeconds) {
  EXPECT_EQ(check({{"If-Modified-Since", kBefore}}), kPassed);
  EXPECT_EQ(check({{"If-Modified-Since", kSame}}), kNotModified);
  EXPECT_EQ(check({{"If-Modified-Since", kAfter}}), kNotModified);
}

TEST(Conditional, IgnoresDatesThatAreMalformedOrStandTwice) {
  EXPECT_EQ(check({{"If-Unmodified-Since", "yesterday"}}), kPassed);
  EXPECT_EQ(check({{"If-Modified-Since", "2026-11-21T06:14:10"}}), kPassed);
  EXPECT_EQ(check({{"If-Modified-Since", kAfter}, {"If-Modified-Since", kAfter}}), kPassed);
  EXPECT_EQ(check({{"If-Unmodified-Since", kBefore}, {"If-Unmodified-Since", kBefore}}), kPassed);
}

TEST(Conditional, IfMatchGoesBeforeIfUnmodifiedSince) {
  EXPECT_EQ(check({{"If-Unmodified-Since", kBefore}, {"If-Match", "\"e\""}}), kPassed);
  EXPECT_EQ(check({{"If-Unmodified-Since", kAfter}, {"If-Match", "\"a\""}}), kFailed);
}

TEST(Conditional, IfNoneMatchGoesBeforeIfModifiedSince) {
  EXPECT_EQ(check({{"If-Modified-Since", kAfter}, {"If-None-Match", "\"a\""}}), kPassed);
  EXPECT_EQ(check({{"If-Modified-Since", kBefore}, {"If-None-Match", "\"e\""}}), kNotModified);
}

TEST(Conditional, AFailedConditionGoesBeforeAnUnmodifiedContent) {
  EXPECT_EQ(check({{"If-None-Match", "\"e\""}, {"If-Match", "\"a\""}}), kFailed);
  EXPECT_EQ(check({{"If-Modified-Since", kAfter}, {"If-Unmodified-Since", kBefore}}), kFailed);
  EXPECT_EQ(check({{"If-Match", "\"e\""}, {"If-None-Match", "\"e\""}}), kNotModified);
}

TEST(Conditional, ARangeAppliesToExactlyTheNamedState) {
  EXPECT_TRUE(applies({}));
  EXPECT_TRUE(applies({{"If-Range", "\"e\""}}));
  EXPECT_TRUE(applies({{"if-range", kSame}}));
  EXPECT_FALSE(applies({{"If-Range", "\"a\""}}));
  EXPECT_FALSE(applies({{"If-Range", "W/\"e\""}}));
  EXPECT_FALSE(applies({{"If-Range", "\"e\", \"a\""}}));
  EXPECT_FALSE(applies({{"If-Range", "*"}}));
  EXPECT_FALSE(applies({{"If-Range", ""}}));
  EXPECT_FALSE(applies({{"If-Range", kBefore}}));
  EXPECT_FALSE(applies({{"If-Range", kAfter}}));
  EXPECT_FALSE(applies({{"If-Range", "\"e\""}, {"If-Range", "\"e\""}}));
}

TEST(Conditional, TheFirstAndTheLastTimeAreComparedToo) {
  const Timestamp now = *parse_http_date(kSame);
  EXPECT_TRUE(range_applies(request_with({{"If-Range", "Sat, 01 Jan 1678 00:00:00 GMT"}}), kTag,
                            kEarliest, now));
  EXPECT_FALSE(range_applies(request_with({{"If-Range", "Tue, 31 Dec 2261 23:59:59 GMT"}}), kTag,
                             kLatest, now));
}

TEST(Conditional, IfRangeByADateNeedsOneThatCannotStandForTwoStates) {
  using std::chrono::seconds;
  EXPECT_FALSE(applies({{"If-Range", kSame}}, seconds(1)));
  EXPECT_FALSE(applies({{"If-Range", kSame}}, seconds(59)));
  EXPECT_FALSE(applies({{"If-Range", kSame}}, seconds(-100)));
  EXPECT_TRUE(applies({{"If-Range", kSame}}, seconds(60)));
  EXPECT_TRUE(applies({{"If-Range", "\"e\""}}, seconds(0)));
}

bool may_write(std::vector<Header> headers, bool exists = true) {
  std::optional<Validators> current;
  if (exists) current.emplace(std::string(kTag), modified_at());
  return meets_write_conditions(request_with(std::move(headers)), current);
}

TEST(WriteConditions, AreThoseOfTheState) {
  EXPECT_FALSE(has_write_conditions(request_with({{"If-Modified-Since", kSame}, {"Range", "x"}})));
  for (const std::string_view name : {"if-match", "If-None-Match", "IF-UNMODIFIED-SINCE"}) {
    EXPECT_TRUE(has_write_conditions(request_with({{name, "x"}})));
  }
}

TEST(WriteConditions, IfMatchNamesTheStateToReplace) {
  EXPECT_TRUE(may_write({{"If-Match", kTag}}));
  EXPECT_TRUE(may_write({{"If-Match", "\"a\", \"e\""}}));
  EXPECT_TRUE(may_write({{"If-Match", "*"}}));
  EXPECT_FALSE(may_write({{"If-Match", "\"a\""}}));
  EXPECT_FALSE(may_write({{"If-Match", "W/\"e\""}}));
  EXPECT_FALSE(may_write({{"If-Match", "nonsense"}}));
  for (const std::string_view value : {kTag, std::string_view("*"), std::string_view("\"\"")}) {
    EXPECT_FALSE(may_write({{"If-Match", value}}, false)) << value;
  }
}

TEST(WriteConditions, IfNoneMatchKeepsAStateFromBeingReplaced) {
  EXPECT_TRUE(may_write({{"If-None-Match", "*"}}, false));
  EXPECT_TRUE(may_write({{"If-None-Match", kTag}}, false));
  EXPECT_TRUE(may_write({{"If-None-Match", "\"a\""}}));
  EXPECT_FALSE(may_write({{"If-None-Match", "*"}}));
  EXPECT_FALSE(may_write({{"If-None-Match", kTag}}));
  EXPECT_FALSE(may_write({{"If-None-Match", "W/\"e\""}}));
  EXPECT_FALSE(may_write({{"If-Match", kTag}, {"If-None-Match", "*"}}));
}

TEST(WriteConditions, IfUnmodifiedSinceCountsWithoutIfMatch) {
  EXPECT_FALSE(may_write({{"If-Unmodified-Since", kBefore}}));
  EXPECT_TRUE(may_write({{"If-Unmodified-Since", kSame}}));
  EXPECT_TRUE(may_write({{"If-Unmodified-Since", kBefore}}, false));
  EXPECT_TRUE(may_write({{"If-Unmodified-Since", kBefore}, {"If-Match", kTag}}));
}

TEST(HasTag, TakesWeakOnesAndAll) {
  EXPECT_TRUE(has_tag(request_with({{"If-None-Match", "W/\"e\""}}), kTag));
  EXPECT_TRUE(has_tag(request_with({{"If-None-Match", "*"}}), kTag));
  EXPECT_FALSE(has_tag(request_with({{"If-None-Match", "\"a\""}}), kTag));
  EXPECT_FALSE(has_tag(request_with({}), kTag));
}

}  // namespace
}  // namespace coffer::http
