#include "api/dav/dead_properties.h"

#include <gtest/gtest.h>

namespace coffer::api::dav {
namespace {

const XmlName kAuthor{"urn:x", "author"};

TEST(DeadProperties, AreReadAsTheyWereStored) {
  DeadProperties all;
  set_property(all, {kAuthor, "<author xmlns=\"urn:x\">Ada</author>"});
  set_property(all, {{"", "none"}, "<none xmlns=\"\"></none>"});
  EXPECT_EQ(read_properties(store_properties(all)), all);
  EXPECT_EQ(store_properties({}), "");
  EXPECT_TRUE(read_properties("").empty());
}

TEST(DeadProperties, AreReplacedByName) {
  DeadProperties all;
  set_property(all, {kAuthor, "<author xmlns=\"urn:x\">Ada</author>"});
  set_property(all, {kAuthor, "<author xmlns=\"urn:x\">Bob</author>"});
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(find_property(all, kAuthor)->xml, "<author xmlns=\"urn:x\">Bob</author>");
  remove_property(all, kAuthor);
  EXPECT_EQ(find_property(all, kAuthor), nullptr);
}

TEST(DeadProperties, LeaveOutWhatIsNoElementOfTheName) {
  const auto stored = [](std::string xml) {
    return store_properties({DeadProperty{kAuthor, std::move(xml)}});
  };
  EXPECT_EQ(read_properties(stored("<author xmlns=\"urn:x\"/>")).size(), 1U);
  for (const char* xml : {"", "text", "</D:prop>", "<author/>", "<other xmlns=\"urn:x\"/>",
                          "<author xmlns=\"urn:x\"/><more/>", "<author xmlns=\"urn:x\">\xFF"}) {
    EXPECT_TRUE(read_properties(stored(xml)).empty()) << xml;
  }
  EXPECT_TRUE(read_properties("anything").empty());
}

}  // namespace
}  // namespace coffer::api::dav
