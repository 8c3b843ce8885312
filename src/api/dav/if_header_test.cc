#include "api/dav/if_header.h"

#include <gtest/gtest.h>

namespace coffer::api::dav {
namespace {

TEST(IfHeader, ReadsAnUntaggedList) {
  const auto header = parse_if("(<urn:uuid:1> [\"a b\"])(Not <DAV:no-lock>)");
  ASSERT_TRUE(header);
  ASSERT_EQ(header->lists.size(), 2U);
  EXPECT_EQ(
      header->lists[0],
      (IfList{"", {IfCondition{false, false, "urn:uuid:1"}, IfCondition{false, true, "\"a b\""}}}));
  EXPECT_EQ(header->lists[1], (IfList{"", {IfCondition{true, false, "DAV:no-lock"}}}));
  EXPECT_EQ(header->tokens(), (std::vector<std::string>{"urn:uuid:1", "DAV:no-lock"}));
}

TEST(IfHeader, ReadsTaggedLists) {
  const auto header = parse_if(" <http://h/dav/a> (<t1>) (not [W/\"e\"])\t</dav/b>(<t2>) ");
  ASSERT_TRUE(header);
  ASSERT_EQ(header->lists.size(), 3U);
  EXPECT_EQ(header->lists[0].resource, "http://h/dav/a");
  EXPECT_EQ(header->lists[1], (IfList{"http://h/dav/a", {IfCondition{true, true, "W/\"e\""}}}));
  EXPECT_EQ(header->lists[2].resource, "/dav/b");
}

TEST(IfHeader, RefusesWhatIsMalformed) {
  for (const char* text :
       {"", " ", "()", "(", "(<a>", "(<>)", "<a>", "<a>()", "(<a>)<b>", "<a><b>(<c>)", "(a)",
        "([a])", "([\"a])", "(Not)", "(Not Not <a>)", "(<a>) x", "<a>(<b>)<c>", "[\"e\"]"}) {
    EXPECT_FALSE(parse_if(text)) << text;
  }
}

TEST(IfHeader, HasABound) {
  std::string text = "(";
  for (std::size_t i = 0; i < kMostConditions; ++i) text += "<a>";
  EXPECT_TRUE(parse_if(text + ")"));
  EXPECT_FALSE(parse_if(text + "<a>)"));
}

}  // namespace
}  // namespace coffer::api::dav
