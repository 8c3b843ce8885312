#include "backends/oauth/code_exchange.h"

#include <gtest/gtest.h>

#include <string>

namespace coffer::oauth {
namespace {

const Timestamp kNoon = parse_timestamp("2026-11-22T12:00:00").value();

std::string token_of(const std::string& body, std::string_view type = {}, long status = 200) {
  return token_in({status, body}, type, kNoon).value_or("");
}

Error error_of(long status, const std::string& body) {
  const auto token = token_in({status, body}, {}, kNoon);
  EXPECT_FALSE(token) << body;
  return token ? Error{} : token.error();
}

TEST(TokenAnswer, BecomesWhatRcloneKeeps) {
  EXPECT_EQ(token_of(R"({"access_token":"a","token_type":"bearer","refresh_token":"r",)"
                     R"("expires_in":3600,"scope":"x","extra":{"y":[1]}})"),
            R"({"access_token":"a","token_type":"bearer","refresh_token":"r",)"
            R"("expiry":"2026-11-22T13:00:00Z"})");
  EXPECT_EQ(token_of(R"({"access_token":"a"})"), R"({"access_token":"a","token_type":"Bearer"})");
  EXPECT_EQ(token_of(R"({"access_token":"a","token_type":"Bearer"})", "Zoho-oauthtoken"),
            R"({"access_token":"a","token_type":"Zoho-oauthtoken"})");
}

TEST(TokenAnswer, TakesALifeInAnyForm) {
  const auto expiry_of = [](const std::string& life) {
    const std::string token =
        token_of(R"({"access_token":"a","refresh_token":"r","expires_in":)" + life + "}");
    const auto at = token.find("\"expiry\":\"");
    return at == std::string::npos ? std::string() : token.substr(at + 10, 20);
  };
  EXPECT_EQ(expiry_of("60"), "2026-11-22T12:01:00Z");
  EXPECT_EQ(expiry_of("\"60\""), "2026-11-22T12:01:00Z");
  EXPECT_EQ(expiry_of("60.0"), "2026-11-22T12:01:00Z");
  for (const char* life : {"0", "-5", "null", "\"soon\"", "[60]", "60.5", "\"\""}) {
    EXPECT_EQ(expiry_of(life), "") << life;
  }
  for (const char* life : {"9223372036854775807", "18446744073709551615", "1e300"}) {
    const std::string expiry = expiry_of(life);
    EXPECT_TRUE(expiry.empty() || expiry.starts_with("2036")) << expiry;
  }
}

TEST(TokenAnswer, OneThatEndsMustBeRenewable) {
  const Error error = error_of(200, R"({"access_token":"a","expires_in":3600})");
  EXPECT_EQ(error.code, ErrorCode::refused);
  EXPECT_NE(error.message.find("renewed"), std::string::npos);
}

TEST(TokenAnswer, RefusalsSayWhatToDoAndRepeatNothing) {
  const auto says = [](long status, const std::string& word, const std::string& part) {
    const Error error =
        error_of(status, R"({"error":")" + word + R"(","error_description":"hunter2"})");
    EXPECT_EQ(error.code, ErrorCode::invalid) << word;
    EXPECT_NE(error.message.find(part), std::string::npos) << error.message;
    EXPECT_EQ(error.message.find("hunter2"), std::string::npos) << error.message;
  };
  says(400, "invalid_grant", "again");
  says(200, "invalid_code", "again");
  says(401, "invalid_client", "client_secret");
  says(400, "redirect_uri_mismatch", "redirect address");
  says(400, "hunter2", "settings");
  EXPECT_EQ(error_of(400, R"({"error":{"code":7}})").code, ErrorCode::invalid);
}

TEST(TokenAnswer, WhatIsNoTokenIsNone) {
  for (const char* body :
       {"", "<html>hunter2</html>", "[]", "null", "{}", R"({"access_token":""})",
        R"({"access_token":7})", R"({"access_token":"a")", "access_token=a&token_type=bearer"}) {
    const Error error = error_of(200, body);
    EXPECT_EQ(error.code, ErrorCode::unavailable) << body;
    EXPECT_EQ(error.message.find("hunter2"), std::string::npos);
  }
  const std::string good = R"({"access_token":"a"})";
  for (const long status : {301L, 307L, 404L, 500L, 503L}) {
    EXPECT_EQ(error_of(status, good).code, ErrorCode::unavailable) << status;
  }
  EXPECT_EQ(error_of(200, std::string(5000, '[')).code, ErrorCode::unavailable);
}

}  // namespace
}  // namespace coffer::oauth
