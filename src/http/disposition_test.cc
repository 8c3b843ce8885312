#include <gtest/gtest.h>

#include "http/serve_content.h"

namespace coffer::http {
namespace {

TEST(Disposition, WritesBothFormsOfAName) {
  EXPECT_EQ(attachment_disposition("a-b_1.txt"),
            "attachment; filename=\"a-b_1.txt\"; filename*=UTF-8''a-b_1.txt");
  EXPECT_EQ(attachment_disposition("a b;c='d'.txt"),
            "attachment; filename=\"a b;c='d'.txt\"; filename*=UTF-8''a%20b%3Bc%3D%27d%27.txt");
  EXPECT_EQ(attachment_disposition(""), "attachment; filename=\"\"; filename*=UTF-8''");
}

TEST(Disposition, LetsNoNameLeaveItsQuotes) {
  EXPECT_EQ(attachment_disposition("a\"; x=\"b"),
            "attachment; filename=\"a_; x=_b\"; filename*=UTF-8''a%22%3B%20x%3D%22b");
  EXPECT_EQ(attachment_disposition("a\\"), "attachment; filename=\"a_\"; filename*=UTF-8''a%5C");
  EXPECT_EQ(attachment_disposition("a%22b"),
            "attachment; filename=\"a_22b\"; filename*=UTF-8''a%2522b");
}

TEST(Disposition, LetsNoNameBeginAHeader) {
  EXPECT_EQ(attachment_disposition("a\r\nX: y"),
            "attachment; filename=\"a__X: y\"; filename*=UTF-8''a%0D%0AX%3A%20y");
}

TEST(Disposition, PutsOneStandInForACharacter) {
  EXPECT_EQ(attachment_disposition("\xC3\xA4\xE2\x82\xAC.txt"),
            "attachment; filename=\"__.txt\"; filename*=UTF-8''%C3%A4%E2%82%AC.txt");
}

TEST(Disposition, HoldsOnlyVisibleAsciiWhateverTheName) {
  std::string name;
  for (int c = 0; c < 256; ++c) name += static_cast<char>(c);
  for (const char c : attachment_disposition(name)) EXPECT_TRUE(c >= 0x20 && c < 0x7F) << int{c};
}

TEST(Disposition, SaysInlineInTheSameWay) {
  EXPECT_EQ(inline_disposition("a b.txt"),
            "inline; filename=\"a b.txt\"; filename*=UTF-8''a%20b.txt");
}

}  // namespace
}  // namespace coffer::http
