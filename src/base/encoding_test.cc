#include "base/encoding.h"

#include <gtest/gtest.h>

#include <stdexcept>

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

TEST(Base64Url, HasOneTextForBytes) {
  EXPECT_EQ(to_base64url(""), "");
  EXPECT_EQ(to_base64url("\xfb\xff"), "-_8");
  EXPECT_EQ(from_base64url("-_8"), "\xfb\xff");
  EXPECT_EQ(from_base64url("Zm9vYg"), "foob");
  EXPECT_EQ(from_base64url(""), "");
  for (const char* const text : {"-_8=", "+/8", "Z", "Zg\n", "Z g", "Zh", "Zm9vYh"}) {
    EXPECT_FALSE(from_base64url(text)) << text;
  }
}

// RFC 4648, section 10, without the padding.
TEST(Base32, IsAsTheStandardHasIt) {
  const std::pair<const char*, const char*> kVectors[] = {{"", ""},
                                                          {"f", "MY"},
                                                          {"fo", "MZXQ"},
                                                          {"foo", "MZXW6"},
                                                          {"foob", "MZXW6YQ"},
                                                          {"fooba", "MZXW6YTB"},
                                                          {"foobar", "MZXW6YTBOI"}};
  for (const auto& [bytes, text] : kVectors) EXPECT_EQ(to_base32(bytes), text);
  EXPECT_EQ(to_base32("\xff\xff\xff\xff\xff"), "77777777");
}

/// As `b2sum -l 128` has it.
TEST(HashHex, IsBlake2b) {
  EXPECT_EQ(hash_hex("abc", 16), "cf4ab791c62b8d2b2109c90275287816");
  EXPECT_THROW(hash_hex("abc", 15), std::invalid_argument);
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
