#include "api/dav/xml.h"

#include <gtest/gtest.h>

#include <string>

namespace coffer::api::dav {
namespace {

Result<XmlElement> parse(std::string_view text, XmlLimits limits = {.bytes = 64 * 1024}) {
  XmlParser parser(limits);
  // By single bytes, as the slowest client sends them.
  for (const char& c : text) TRY_VOID(parser.add({&c, 1}));
  return parser.finish();
}

TEST(DavXml, ReadsElementsWithTheirNamespaces) {
  const auto root = parse(
      "<?xml version=\"1.0\"?><D:propfind xmlns:D=\"DAV:\" xmlns=\"urn:x\"><D:prop><D:getetag/>"
      "<author/><none xmlns=\"\"/></D:prop></D:propfind>");
  ASSERT_TRUE(root);
  EXPECT_TRUE(root->name.is_dav("propfind"));
  const XmlElement* prop = root->child("prop");
  ASSERT_NE(prop, nullptr);
  ASSERT_EQ(prop->children.size(), 3U);
  EXPECT_EQ(prop->children[0].name, (XmlName{"DAV:", "getetag"}));
  EXPECT_EQ(prop->children[1].name, (XmlName{"urn:x", "author"}));
  EXPECT_EQ(prop->children[2].name, (XmlName{"", "none"}));
  EXPECT_EQ(root->child("none"), nullptr);
}

TEST(DavXml, WritesWhatItHasRead) {
  const auto root = parse(
      "<a:p xmlns:a=\"urn:a\" xml:lang=\"de\">x &amp; &lt;<a:i b=\"c\">1</a:i>2<j>&#13;</j></a:p>");
  ASSERT_TRUE(root);
  const std::string text = text_of(*root);
  EXPECT_EQ(text,
            "<p xmlns=\"urn:a\" xml:lang=\"de\">x &amp; &lt;<i>1</i>2<j xmlns=\"\">&#13;</j></p>");
  const auto again = parse(text);
  ASSERT_TRUE(again);
  EXPECT_EQ(text_of(*again), text);
}

TEST(DavXml, ReadsAgainWhateverItWrites) {
  const auto root = parse("<a xmlns=\"urn:&#10;x&#9;y&quot;\" xml:lang=\"d&#10;e\"/>");
  ASSERT_TRUE(root);
  const auto again = parse(text_of(*root));
  ASSERT_TRUE(again);
  EXPECT_EQ(again->name, root->name);
  EXPECT_EQ(again->language, root->language);
}

TEST(DavXml, RefusesElementsOfTheNamespaceOfXml) {
  EXPECT_FALSE(parse("<a><xml:b/></a>"));
  EXPECT_FALSE(parse("<a><b xmlns:x=\"http://www.w3.org/XML/1998/namespace\"><x:c/></b></a>"));
}

TEST(DavXml, CountsWhatElementsInheritForEachOfThem) {
  const std::string long_name(2'000, 'n');
  const auto with = [](const std::string& start, int children) {
    std::string text = start;
    for (int i = 0; i < children; ++i) text += "<x:a/>";
    return text + "</x:p>";
  };
  const std::string by_space = "<x:p xmlns:x=\"urn:" + long_name + "\">";
  EXPECT_TRUE(parse(with(by_space, 20)));
  EXPECT_FALSE(parse(with(by_space, 40)));
  const std::string by_language = "<x:p xmlns:x=\"urn:x\" xml:lang=\"" + long_name + "\">";
  EXPECT_TRUE(parse(with(by_language, 20)));
  EXPECT_FALSE(parse(with(by_language, 40)));
}

struct Refused {
  const char* name;
  std::string text;
};
std::string nested(std::size_t depth) {
  std::string text;
  for (std::size_t i = 0; i < depth; ++i) text += "<a>";
  for (std::size_t i = 0; i < depth; ++i) text += "</a>";
  return text;
}
std::string many(std::size_t count) {
  std::string text = "<a>";
  for (std::size_t i = 1; i < count; ++i) text += "<b/>";
  return text + "</a>";
}

class DavXmlRefusal : public testing::TestWithParam<Refused> {};

TEST_P(DavXmlRefusal, IsInvalid) {
  const auto root = parse(GetParam().text);
  ASSERT_FALSE(root);
  EXPECT_EQ(root.error().code, ErrorCode::invalid);
}

INSTANTIATE_TEST_SUITE_P(
    Bodies, DavXmlRefusal,
    testing::Values(
        Refused{"Empty", ""}, Refused{"Text", "hello"}, Refused{"Unclosed", "<a><b></b>"},
        Refused{"Crossed", "<a><b></a></b>"}, Refused{"TwoRoots", "<a/><b/>"},
        Refused{"EmptyPrefix", "<a xmlns:x=\"\"/>"}, Refused{"UnknownPrefix", "<x:a/>"},
        Refused{"Latin1", "<a>\xE4</a>"}, Refused{"Nul", std::string("<a>\0</a>", 8)},
        Refused{"Doctype", "<!DOCTYPE a><a/>"},
        Refused{"Laughs", "<!DOCTYPE a [<!ENTITY x \"ha\"><!ENTITY y \"&x;&x;\">]><a>&y;</a>"},
        Refused{"External", "<!DOCTYPE a [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><a>&x;</a>"},
        Refused{"UnknownEntity", "<a>&x;</a>"}, Refused{"Instruction", "<?php x?><a/>"},
        Refused{"Deep", nested(33)}, Refused{"Many", many(1'001)},
        Refused{"Long", "<a>" + std::string(64 * 1024, 'x') + "</a>"}),
    [](const auto& info) { return std::string(info.param.name); });

TEST(DavXml, TakesWhatIsWithinTheLimits) {
  EXPECT_TRUE(parse(nested(32)));
  EXPECT_TRUE(parse(many(1'000)));
}

}  // namespace
}  // namespace coffer::api::dav
