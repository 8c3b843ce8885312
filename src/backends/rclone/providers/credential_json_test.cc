#include "backends/rclone/providers/credential_json.h"

#include <gtest/gtest.h>

#include <string>

namespace coffer::rclone {
namespace {

TEST(CredentialJson, TakesTokensAsRcloneAuthorizePrintsThem) {
  for (
      const char* const token :
      {R"({"access_token":"a"})",
       R"({"access_token":"a","token_type":"Bearer","refresh_token":"r","expiry":"2026-01-31T12:00:00.123456789+01:00"})",
       R"({"access_token":"a","token_type":"bearer","refresh_token":"","expiry":"0001-01-01T00:00:00Z"})",
       "{\n  \"access_token\": \"a:\\\"b\\\\\",\n  \"expires_in\": 3599\n}\n"}) {
    EXPECT_EQ(fault_of_token(token), "") << token;
  }
}

// Whatever rclone's own reader stumbles over would make it log in as this machine.
TEST(CredentialJson, RefusesTokensThatRcloneCouldNotRead) {
  for (const char* const token :
       {"", "token", "null", "[]", "{}", R"({"access_token":""})", R"({"access_token":1})",
        R"({"refresh_token":"r"})", R"({"access_token":"a","refresh_token":null})",
        R"({"access_token":"a","token_type":7})", R"({"access_token":"a","expiry":""})",
        R"({"access_token":"a","expiry":null})", R"({"access_token":"a","expiry":"tomorrow"})",
        R"({"access_token":"a","expiry":"bad","expiry":"2026-01-31T12:00:00Z"})",
        R"({"access_token":"a","Expiry":"bad"})", R"({"access_token":"a","to\u212Aen_type":1})",
        R"({"access_token":"a","expires_in":1.5})", R"({"access_token":"a"} {})",
        R"({"access_token":"a",})"}) {
    EXPECT_NE(fault_of_token(token), "") << token;
  }
}

TEST(CredentialJson, ReadsTimesStrictly) {
  const auto with_expiry = [](const std::string& time) {
    return fault_of_token(R"({"access_token":"a","expiry":")" + time + "\"}");
  };
  EXPECT_EQ(with_expiry("2024-02-29T23:59:59Z"), "");
  EXPECT_EQ(with_expiry("2024-02-29T23:59:59.5-11:30"), "");
  for (const char* const time :
       {"2023-02-29T00:00:00Z", "2024-13-01T00:00:00Z", "2024-01-01T24:00:00Z",
        "2024-01-01T00:60:00Z", "2024-01-01T00:00:60Z", "2024-01-01 00:00:00Z",
        "2024-01-01T00:00:00", "2024-01-01T00:00:00.Z", "2024-01-01T00:00:00+1:00",
        "2024-01-01T00:00:00+24:00", "2024-01-01T00:00:00ZZ", "2024-1-01T00:00:00Z", "2024"}) {
    EXPECT_NE(with_expiry(time), "") << time;
  }
}

std::string account_with(const std::string& more) {
  return R"({"type":"service_account","client_email":"x@y.example","private_key":"k\n")" + more +
         "}";
}

TEST(CredentialJson, TakesKeysOfServiceAccounts) {
  EXPECT_EQ(fault_of_service_account(account_with("")), "");
  EXPECT_EQ(fault_of_service_account(account_with(
                R"(,"project_id":"p","private_key_id":"i","client_id":"1",
                   "auth_uri":"https://accounts.google.com/o/oauth2/auth",
                   "token_uri":"https://oauth2.googleapis.com/token",
                   "universe_domain":"googleapis.com")")),
            "");
}

TEST(CredentialJson, RefusesAccountsThatReadThisMachineOrAskOthers) {
  EXPECT_NE(fault_of_service_account(
                R"({"type":"external_account","credential_source":{"file":"/etc/passwd"}})"),
            "");
  EXPECT_NE(fault_of_service_account(
                R"({"type":"authorized_user","client_email":"x","private_key":"k"})"),
            "");
  for (const char* const more :
       {R"(,"token_uri":"http://127.0.0.1/")",
        R"(,"token_uri":"https://oauth2.googleapis.com.example/")",
        R"(,"TOKEN_URI":"http://127.0.0.1/")", R"(,"Type":"external_account")",
        R"(,"universe_domain":"example.com")", R"(,"credential_source":{"file":"/x"})",
        R"(,"project_id":1)", R"(,"type":"service_account")"}) {
    EXPECT_NE(fault_of_service_account(account_with(more)), "") << more;
  }
}

}  // namespace
}  // namespace coffer::rclone
