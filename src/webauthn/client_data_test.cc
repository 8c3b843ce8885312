#include "webauthn/client_data.h"

#include <gtest/gtest.h>

namespace coffer::webauthn {
namespace {

constexpr const char* kOrigin = "https://files.example.org";

TEST(ClientDataTest, IsReadFromTheJsonOfBrowsers) {
  const auto data = read_client_data(
      R"({"type":"webauthn.get","challenge":"AAEC_w","origin":"https://files.example.org",)"
      R"("crossOrigin":false,"other_keys_can_be_added_here":"see the documentation"})");
  ASSERT_TRUE(data);
  EXPECT_EQ(data->challenge, std::string("\0\1\2\xff", 4));
  EXPECT_TRUE(check_client_data(*data, "webauthn.get", kOrigin));
  EXPECT_FALSE(check_client_data(*data, "webauthn.create", kOrigin));
  EXPECT_FALSE(check_client_data(*data, "webauthn.get", "https://example.org"));
  EXPECT_FALSE(check_client_data(*data, "webauthn.get", "http://files.example.org"));
}

TEST(ClientDataTest, WithinAFrameOfAnotherOriginIsRefused) {
  for (const char* more : {R"("crossOrigin":true)", R"("topOrigin":"https://example.com")"}) {
    const auto data = read_client_data(
        std::string(
            R"({"type":"webauthn.get","challenge":"AA","origin":"https://files.example.org",)") +
        more + "}");
    ASSERT_TRUE(data);
    EXPECT_FALSE(check_client_data(*data, "webauthn.get", kOrigin)) << more;
  }
}

TEST(ClientDataTest, AnythingElseIsRefused) {
  for (const std::string& text :
       {std::string(), std::string("[]"), std::string("{}"),
        std::string(R"({"type":"webauthn.get","challenge":"AA"})"),
        std::string(R"({"type":"webauthn.get","challenge":"A=","origin":"x"})"),
        std::string(R"({"type":1,"challenge":"AA","origin":"x"})"),
        std::string(R"({"type":"webauthn.get","challenge":"AA","origin":"x","crossOrigin":"no"})"),
        std::string(10'000, ' ') + "{}", std::string("\xff\xfe")}) {
    const auto data = read_client_data(text);
    ASSERT_FALSE(data) << text;
    EXPECT_EQ(data.error().code, ErrorCode::unauthenticated);
  }
}

}  // namespace
}  // namespace coffer::webauthn
