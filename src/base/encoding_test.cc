#include "base/encoding.h"

#include <gtest/gtest.h>

namespace coffer {
namespace {

TEST(Base64, GoesThereAndBack) {
  EXPECT_EQ(to_base64(""), "");
  EXPECT_EQ(to_base64("f"), "Zg==");
  EXPECT_EQ(to_base64("fo", false), "Zm8");
  EXPECT_EQ(to_base64("\xfb\xff"), "+/8=");
  EXPECT_EQ(from_base64("Zm9vYg=="), "foob");
  EXPECT_EQ(from_base64("Zm9vYg", false), "foob");
}

TEST(Base64, RefusesWhatIsNone) {
  for (const char* const text : {"Zg", "Zg=", "Z", "Zg==\n", "-_8=", "Zh=="}) {
    EXPECT_FALSE(from_base64(text)) << text;
  }
  EXPECT_FALSE(from_base64("Zg==", false));
}

TEST(FormEncoding, JoinsFieldsInTheirOrder) {
  EXPECT_EQ(to_form({}), "");
  EXPECT_EQ(to_form({{"b", "1"}, {"a", ""}, {"b", "2"}}), "b=1&a=&b=2");
}

TEST(FormEncoding, EncodesAllThatMeansSomething) {
  EXPECT_EQ(to_form({{"a=b&", "c+d e%/?#"}}), "a%3Db%26=c%2Bd%20e%25%2F%3F%23");
  EXPECT_EQ(to_form({{"k", "Az09-._~"}}), "k=Az09-._~");
  EXPECT_EQ(to_form({{"k", std::string("\0\n\xC3\xA9@[`{", 8)}}), "k=%00%0A%C3%A9%40%5B%60%7B");
}

}  // namespace
}  // namespace coffer
