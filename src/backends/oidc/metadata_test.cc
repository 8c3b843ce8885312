#include "backends/oidc/metadata.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

namespace coffer::oidc {
namespace {

const std::string kIssuer = "https://id.example.org";

std::string document(const std::string& issuer, const std::string& token_endpoint,
                     const std::string& more = {}) {
  return fmt::format(
      R"({{"issuer":"{}","authorization_endpoint":"https://id.example.org/auth?a=b",)"
      R"("token_endpoint":"{}","jwks_uri":"https://keys.example.org/set"{}}})",
      issuer, token_endpoint, more);
}

TEST(Metadata, HasTheAddressesOfTheProvider) {
  const auto metadata = parse_metadata(
      document(kIssuer, "https://id.example.org:8443/token",
               R"(,"userinfo_endpoint":"https://id.example.org/me",)"
               R"("end_session_endpoint":"https://id.example.org/end",)"
               R"("token_endpoint_auth_methods_supported":["client_secret_post","none",7],)"
               R"("authorization_response_iss_parameter_supported":true)"),
      kIssuer);
  ASSERT_TRUE(metadata) << metadata.error().message;
  EXPECT_EQ(metadata->issuer, kIssuer);
  EXPECT_EQ(metadata->authorization_endpoint, "https://id.example.org/auth?a=b");
  EXPECT_EQ(metadata->token_endpoint, "https://id.example.org:8443/token");
  EXPECT_EQ(metadata->key_set, "https://keys.example.org/set");
  EXPECT_EQ(metadata->userinfo_endpoint, "https://id.example.org/me");
  EXPECT_EQ(metadata->end_session_endpoint, "https://id.example.org/end");
  EXPECT_EQ(metadata->client_authentication,
            (std::vector<std::string>{"client_secret_post", "none"}));
  EXPECT_TRUE(metadata->names_issuer);
}

TEST(Metadata, HasDefaults) {
  const auto metadata = parse_metadata(document(kIssuer, kIssuer + "/token"), kIssuer);
  ASSERT_TRUE(metadata);
  EXPECT_EQ(metadata->userinfo_endpoint, "");
  EXPECT_EQ(metadata->client_authentication, std::vector<std::string>{"client_secret_basic"});
  EXPECT_FALSE(metadata->names_issuer);
}

TEST(Metadata, IsOfTheVeryIssuer) {
  for (const char* other :
       {"https://id.example.org/", "https://ID.example.org", "http://id.example.org", "",
        "https://id.example.org:443", "https://evil.example.org"}) {
    const auto metadata = parse_metadata(document(other, kIssuer + "/token"), kIssuer);
    ASSERT_FALSE(metadata) << other;
    EXPECT_EQ(metadata.error().message, "The provider's metadata is of another issuer.");
  }
}

TEST(Metadata, HasNoAddressThatIsNotAllowed) {
  const std::string long_address = "https://id.example.org/" + std::string(2048, 'x');
  for (const std::string& address :
       {std::string("http://id.example.org/token"), std::string("http://127.0.0.1/token"),
        std::string("//id.example.org"), std::string("/token"), std::string("file:///etc/passwd"),
        std::string("javascript:alert(1)"), std::string("https://"), std::string("https:///token"),
        std::string("https://ann:secret@id.example.org/"), std::string("https://id.example.org/#x"),
        std::string("https://id.example.org/a b"), std::string("https://id.example.org/\\u000a"),
        std::string("https://id.example.org:port/"), std::string("https://id.example.org:70000/"),
        std::string("https://[::1/"), std::string(), long_address}) {
    const auto metadata = parse_metadata(document(kIssuer, address), kIssuer);
    ASSERT_FALSE(metadata) << address;
    EXPECT_EQ(metadata.error().code, ErrorCode::unavailable);
  }
  const auto more = parse_metadata(
      document(kIssuer, kIssuer, R"(,"end_session_endpoint":"javascript:x")"), kIssuer);
  EXPECT_FALSE(more);
}

TEST(Metadata, OfThisMachineMayBeByHttp) {
  for (const std::string host : {"localhost", "127.0.0.1", "127.200.0.3", "[::1]"}) {
    const std::string issuer = "http://" + host + ":8080/realm";
    EXPECT_TRUE(check_issuer(issuer)) << host;
    EXPECT_TRUE(parse_metadata(document(issuer, "http://" + host + ":1/token"), issuer)) << host;
    EXPECT_FALSE(parse_metadata(document(issuer, "http://id.example.org/token"), issuer)) << host;
  }
  for (const std::string host :
       {"127.0.0.1.example.org", "127.0.0", "127.0.0.256", "128.0.0.1", "localhost.example.org",
        "127.1", "0.0.0.0", "[::2]", "10.0.0.1", "127.0.0.1@example.org", ""}) {
    EXPECT_FALSE(check_issuer("http://" + host)) << host;
  }
}

TEST(Metadata, IsAnObjectWithAllThatIsNeeded) {
  for (const char* text :
       {"", "[]", "null", "{", "<html>", R"({"issuer":"https://id.example.org"})",
        R"({"issuer":["https://id.example.org"]})"}) {
    EXPECT_FALSE(parse_metadata(text, kIssuer)) << text;
  }
}

TEST(Issuer, IsAnAddressByHttps) {
  EXPECT_TRUE(check_issuer("https://id.example.org"));
  EXPECT_TRUE(check_issuer("https://id.example.org/realms/one"));
  for (const char* text : {"", "id.example.org", "https://id.example.org?x", "https://a.org/#x",
                           "ldap://id.example.org", "HTTPS://id.example.org"}) {
    EXPECT_FALSE(check_issuer(text)) << text;
  }
  EXPECT_EQ(metadata_address("https://id.example.org/realm/"),
            "https://id.example.org/realm/.well-known/openid-configuration");
}

}  // namespace
}  // namespace coffer::oidc
