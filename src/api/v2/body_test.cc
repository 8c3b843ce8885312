#include "api/v2/body.h"

#include <gtest/gtest.h>

namespace coffer::api::v2 {

struct Sample {
  FIELD(NonEmpty<std::string>, name, "", "");
  FIELD(Password, password, "", "");
  FIELD(std::optional<bool>, flag, "", "");
  FIELD(std::optional<std::uint64_t>, size, "", "");
  FIELD(std::optional<Path>, folder, "", "");
};

struct LargeSample : Sample {
  static constexpr std::size_t kBodyBytes = 1024 * 1024;
};

namespace {

static_assert(kBodyBytesOf<Sample> == std::size_t{64 * 1024});
static_assert(kBodyBytesOf<LargeSample> == std::size_t{1024 * 1024});

Result<Sample> read(std::string_view text) {
  return body_from<Sample>(boost::json::parse({text.data(), text.size()}));
}

Error refused(std::string_view text) {
  const auto sample = read(text);
  return sample ? Error{ErrorCode::failed, "it was taken"} : sample.error();
}

TEST(BodyTest, MembersBecomeTypes) {
  const auto sample = read(
      R"({"name":"a","password":"\n","flag":true,"size":18446744073709551615,"folder":"a//b"})");
  ASSERT_TRUE(sample) << sample.error().message;
  EXPECT_EQ(sample->name.value, "a");
  EXPECT_EQ(sample->password.value, "\n");
  EXPECT_EQ(sample->flag, true);
  EXPECT_EQ(sample->size, UINT64_MAX);
  EXPECT_EQ(sample->folder->str(), "a/b");
}

TEST(BodyTest, AWholeNumberMayBeWrittenWithAFraction) {
  for (const std::string_view size : {"3", "3.0", "30e-1"}) {
    const auto sample = read(R"({"name":"a","password":"","size":)" + std::string(size) + "}");
    ASSERT_TRUE(sample) << size;
    EXPECT_EQ(sample->size, 3u) << size;
  }
}

TEST(BodyTest, NullIsAMemberThatIsMissing) {
  const auto sample = read(R"({"name":"a","password":"","flag":null})");
  ASSERT_TRUE(sample) << sample.error().message;
  EXPECT_FALSE(sample->flag);
  EXPECT_FALSE(sample->size);
}

TEST(BodyTest, WhatIsWrongIsNamed) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {R"({"password":""})", R"(The member "name": is missing.)"},
      {R"({"name":null,"password":""})", R"(The member "name": must be a text.)"},
      {R"({"name":"","password":""})", R"(The member "name": is empty.)"},
      {R"({"name":"a\u0007","password":""})",
       R"(The member "name": must not hold control characters.)"},
      {R"({"name":"a","password":5})", R"(The member "password": must be a text.)"},
      {R"({"name":"a","password":"","flag":1})", R"(The member "flag": must be true or false.)"},
      {R"({"name":"a","password":"","size":-1})",
       R"(The member "size": must be a whole number of 0 or more.)"},
      {R"({"name":"a","password":"","size":1.5})",
       R"(The member "size": must be a whole number of 0 or more.)"},
      {R"({"name":"a","password":"","size":1e30})",
       R"(The member "size": must be a whole number of 0 or more.)"},
      {R"({"name":"a","password":"","sise":1})", R"(There is no member "sise" here.)"},
      {R"([])", R"(The body must be a JSON object.)"},
  };
  for (const auto& [text, message] : cases) {
    EXPECT_EQ(refused(text), (Error{ErrorCode::invalid, std::string(message)})) << text;
  }
  EXPECT_EQ(refused(R"({"name":"a","password":"","folder":"../a"})").code, ErrorCode::forbidden);
}

}  // namespace
}  // namespace coffer::api::v2
