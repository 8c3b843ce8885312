#include "backends/rclone/drive_items.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace coffer::rclone {
namespace {

bool sane(std::string path, std::string_view folder) {
  return is_sane({.path = std::move(path)}, folder);
}

TEST(DriveItem, NamesThatNoDriveShouldTellAreNotSane) {
  EXPECT_TRUE(sane("fine", ""));
  EXPECT_TRUE(sane("a/b/fine", "a/b"));
  for (const char* path : {"", "a", "a/", "a/..", "a/.", "a/b/c", "../x", "b/x", "aa/x", "a/x\ny",
                           "a/x\x7f", "a/\xff", "/x", "a//x"}) {
    EXPECT_FALSE(sane(path, "a")) << path;
  }
  for (const char* path : {"", ".", "..", "a/b", "/", "/a", "a\r"}) {
    EXPECT_FALSE(sane(path, "")) << path;
  }
  EXPECT_FALSE(sane("a/" + std::string(5000, 'x'), "a"));
}

struct Parsed {
  Result<void> outcome;
  std::vector<DriveItem> items;
};

/// Parses in pieces of so many bytes.
Parsed parse(std::string_view text, std::size_t piece) {
  Parsed parsed;
  ItemsParser parser([&](DriveItem item) -> Result<void> {
    parsed.items.push_back(std::move(item));
    return {};
  });
  for (; parsed.outcome && !text.empty(); text.remove_prefix(std::min(piece, text.size()))) {
    parsed.outcome = parser.parse(text.substr(0, piece));
  }
  if (parsed.outcome) parsed.outcome = parser.end();
  return parsed;
}

constexpr std::string_view kTwo =
    R"({"list": [
  {"Path":"a/\u00fcb.txt","Name":"x","Size":12345678901,"MimeType":"text/plain",
   "ModTime":"2026-11-21T06:14:09.5+01:00","IsDir":false,"Metadata":{"Path":"no","Size":3}},
  {"Path":"a/d","Name":"d","Size":-1,"ModTime":"2026-11-21T06:14:09Z","IsDir":true,"Tier":null}
]}
)";

TEST(ItemsParser, ReadsItemsInPiecesOfAnySize) {
  for (const std::size_t piece : {1U, 2U, 7U, 64U, 4096U}) {
    const auto parsed = parse(kTwo, piece);
    ASSERT_TRUE(parsed.outcome) << piece;
    ASSERT_EQ(parsed.items.size(), 2U);
    const DriveItem& file = parsed.items.front();
    EXPECT_EQ(file.path, "a/\u00fcb.txt");
    EXPECT_EQ(file.size_bytes, 12345678901U);
    EXPECT_FALSE(file.is_folder);
    EXPECT_EQ(format_timestamp(file.modified_at), "2026-11-21T05:14:09");
    EXPECT_EQ(parsed.items.back().path, "a/d");
    EXPECT_TRUE(parsed.items.back().is_folder);
    EXPECT_EQ(parsed.items.back().size_bytes, std::nullopt);
  }
}

TEST(ItemsParser, AnEmptyListIsNoError) {
  for (const std::string_view text : {R"({"list":[]})", R"({"list":null})"}) {
    const auto parsed = parse(text, 4096);
    EXPECT_TRUE(parsed.outcome) << text;
    EXPECT_TRUE(parsed.items.empty());
  }
}

TEST(ItemsParser, WhatIsNoListIsRefused) {
  for (const std::string_view text :
       {"", "{}", "[]", "3", R"({"list")", R"({"list":[{"Path":"a")", R"({"list":[]}{)", "nonsense",
        R"({"error":"list"})", R"({"list":[{]})"}) {
    EXPECT_FALSE(parse(text, 3).outcome) << text;
  }
}

TEST(ItemsParser, TheSinkEndsIt) {
  int taken = 0;
  ItemsParser parser([&](const DriveItem&) -> Result<void> {
    ++taken;
    return fail(ErrorCode::failed, "Enough.");
  });
  const auto outcome = parser.parse(kTwo);
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().message, "Enough.");
  EXPECT_EQ(taken, 1);
}

}  // namespace

}  // namespace coffer::rclone
