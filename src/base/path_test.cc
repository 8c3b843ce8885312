#include "base/path.h"

#include <gtest/gtest.h>

#include <vector>

namespace coffer {
namespace {

std::string parsed(std::string_view text) {
  const auto path = Path::parse(text);
  return path ? path->str() : std::string(to_string(path.error().code));
}

TEST(Path, DropsRepeatedAndTrailingSlashesAndDots) {
  EXPECT_EQ(parsed("/a//b/./"), "a/b");
  EXPECT_EQ(parsed(""), "");
  EXPECT_EQ(parsed("///"), "");
  EXPECT_EQ(parsed("./."), "");
}

TEST(Path, RefusesToClimb) {
  for (const char* bad :
       {"..", "a/..", "../a", "a/../b", "..\\x", "a/x\\..", "\\..\\", "a\\..\\b"}) {
    EXPECT_EQ(parsed(bad), "forbidden") << bad;
  }
}

TEST(Path, DotsInNamesAreOrdinary) {
  for (const char* good : {"...", "a..b", "..a", "%2e%2e", "a\\b"}) EXPECT_EQ(parsed(good), good);
}

TEST(Path, RefusesControlCharactersAndBrokenUtf8) {
  EXPECT_EQ(parsed(std::string_view("a\0b", 3)), "invalid");
  EXPECT_EQ(parsed("a\r\nb"), "invalid");
  EXPECT_EQ(parsed("a/\xFF"), "invalid");
}

TEST(Path, WithinGoesByComponents) {
  const Path docs = *Path::parse("docs");
  EXPECT_TRUE(Path::parse("docs/a")->is_within(docs));
  EXPECT_TRUE(docs.is_within(docs));
  EXPECT_TRUE(docs.is_within(Path()));
  EXPECT_FALSE(Path::parse("docs2")->is_within(docs));
  EXPECT_FALSE(Path().is_within(docs));
  EXPECT_EQ(Path::parse("docs/a/b")->relative_to(docs).str(), "a/b");
  EXPECT_EQ(docs.relative_to(docs).str(), "");
}

TEST(Path, PartsAndJoins) {
  const Path path = *Path::parse("a/b/c");
  EXPECT_EQ(path.name(), "c");
  EXPECT_EQ(path.parent().str(), "a/b");
  EXPECT_EQ(path.front(), "a");
  EXPECT_EQ(path.without_front().str(), "b/c");
  EXPECT_EQ(path.depth(), 3u);
  EXPECT_EQ(Path().depth(), 0u);
  EXPECT_EQ(Path().parent().str(), "");
  EXPECT_EQ((path / *Name::parse("d")).str(), "a/b/c/d");
  EXPECT_EQ((Path() / path).str(), "a/b/c");
  EXPECT_EQ((path / Path()).str(), "a/b/c");
  std::vector<std::string_view> parts;
  for (const auto part : path.components()) parts.push_back(part);
  EXPECT_EQ(parts, (std::vector<std::string_view>{"a", "b", "c"}));
}

TEST(Name, TakesWhatAFileSystemTakes) {
  for (const std::string& good : {std::string("a"), std::string(255, 'x'), std::string("Grüße.txt"),
                                  std::string("..."), std::string(" ")}) {
    EXPECT_TRUE(Name::parse(good)) << good;
  }
}

TEST(Name, RefusesTheRest) {
  for (const std::string& bad :
       {std::string(), std::string("."), std::string(".."), std::string("a/b"), std::string("a\\b"),
        std::string("a\nb"), std::string("\xFF"), std::string(256, 'x'), std::string(1, '\0')}) {
    EXPECT_FALSE(Name::parse(bad)) << bad;
  }
}

TEST(Extension, IsFromTheLastDot) {
  EXPECT_EQ(extension_of("a.tar.GZ"), ".GZ");
  EXPECT_EQ(extension_of(".profile"), "");
  EXPECT_EQ(extension_of("README"), "");
  EXPECT_EQ(extension_of(".a.b"), ".b");
  EXPECT_EQ(extension_of("a."), ".");
}

}  // namespace
}  // namespace coffer
