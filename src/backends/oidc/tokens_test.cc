#include "backends/oidc/tokens.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <string>

namespace coffer::oidc {
namespace {

/// The members of a JSON object, as they are written.
using Members = std::map<std::string, std::string>;

constexpr std::int64_t kNowS = 1'800'000'000;

TokenRules rules() {
  TokenRules rules;
  rules.issuer = "https://id.example.org";
  rules.client_id = "coffer";
  rules.at = timestamp_of(kNowS);
  rules.nonce = "n-1";
  return rules;
}

Members good() {
  return {{"iss", "\"https://id.example.org\""},
          {"sub", "\"248289761001\""},
          {"aud", "\"coffer\""},
          {"nonce", "\"n-1\""},
          {"exp", std::to_string(kNowS + 300)},
          {"iat", std::to_string(kNowS - 5)}};
}

/// The members with some changed; an empty text takes one away.
Members with(Members members, const Members& changes) {
  for (const auto& [name, value] : changes) {
    members[name] = value;
    if (value.empty()) members.erase(name);
  }
  return members;
}

Jws token_of(const Members& members, Algorithm algorithm = Algorithm::rs256) {
  Jws token;
  token.algorithm = algorithm;
  for (const auto& [name, value] : members) {
    token.content += fmt::format("{}\"{}\":{}", token.content.empty() ? "" : ",", name, value);
  }
  token.content = "{" + token.content + "}";
  return token;
}

/// The reason for which an ID token is refused; empty if it is not.
std::string refusal_of(const Members& changes, const TokenRules& rules = rules(),
                       Algorithm algorithm = Algorithm::rs256) {
  const auto claims = check_id_token(token_of(with(good(), changes), algorithm), rules);
  if (claims) return {};
  EXPECT_EQ(claims.error().code, ErrorCode::unauthenticated);
  return claims.error().message;
}

TEST(IdToken, GivesItsClaims) {
  const auto claims = check_id_token(token_of(good()), rules());
  ASSERT_TRUE(claims) << claims.error().message;
  EXPECT_EQ(id_in(*claims, "sub"), "248289761001");
}

TEST(IdToken, IsOfTheIssuerAndForTheClient) {
  for (const char* issuer : {"", "\"https://id.example.org/\"", "\"https://evil.example.org\"",
                             "[\"https://id.example.org\"]", "null"}) {
    EXPECT_NE(refusal_of({{"iss", issuer}}), "") << issuer;
  }
  EXPECT_EQ(refusal_of({{"aud", R"(["coffer"])"}}), "");
  EXPECT_EQ(refusal_of({{"aud", R"(["x","coffer"])"}, {"azp", "\"coffer\""}}), "");
  EXPECT_EQ(refusal_of({{"azp", "\"coffer\""}}), "");
  for (const char* audience : {"", "\"other\"", "[]", R"(["other"])", "{\"coffer\":1}", "null",
                               "\"coffe\"", R"(["x","coffer"])"}) {  // The last without azp.
    EXPECT_NE(refusal_of({{"aud", audience}}), "") << audience;
  }
  for (const char* party : {"\"other\"", "null", R"(["coffer"])"}) {
    EXPECT_NE(refusal_of({{"azp", party}}), "") << party;
  }
}

TEST(IdToken, IsOfThePresent) {
  const auto at = [](std::int64_t offset_s) { return std::to_string(kNowS + offset_s); };
  EXPECT_EQ(refusal_of({{"exp", at(-59)}}), "");
  EXPECT_NE(refusal_of({{"exp", at(-60)}}), "");
  EXPECT_NE(refusal_of({{"exp", at(-61)}}), "");
  EXPECT_EQ(refusal_of({{"iat", at(60)}}), "");
  EXPECT_NE(refusal_of({{"iat", at(61)}}), "");
  EXPECT_EQ(refusal_of({{"nbf", at(60)}}), "");
  EXPECT_NE(refusal_of({{"nbf", at(61)}}), "");
  EXPECT_NE(refusal_of({{"nbf", "null"}}), "");
  EXPECT_EQ(refusal_of({{"exp", at(300) + ".5"}}), "");
  for (const char* none : {"", "null", "\"1800000300\"", "true", "-1", "1e300"}) {
    EXPECT_NE(refusal_of({{"exp", none}}), "") << none;
    if (std::string(none) != "-1") {
      EXPECT_NE(refusal_of({{"iat", none}}), "") << none;
    }
  }
}

TEST(IdToken, NamesAPersonAndTheSignIn) {
  for (const std::string& subject :
       {std::string(), std::string("\"\""), std::string("7"), std::string("null"),
        '"' + std::string(256, 'x') + '"', std::string(R"("a\u0000b")")}) {
    EXPECT_NE(refusal_of({{"sub", subject}}), "") << subject;
  }
  for (const char* nonce : {"", "\"\"", "\"n-2\"", "null"}) {
    EXPECT_NE(refusal_of({{"nonce", nonce}}), "") << nonce;
  }
}

/// The last value was computed by another program.
TEST(IdToken, BelongsToItsAccessToken) {
  TokenRules with_access = rules();
  with_access.access_token = "jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y";
  // OpenID Connect Core 1.0, appendix A.3.
  EXPECT_EQ(refusal_of({{"at_hash", "\"77QmUPtjPfzWtF2AnpK9RQ\""}}, with_access), "");
  EXPECT_EQ(refusal_of({}, with_access), "");
  EXPECT_NE(refusal_of({{"at_hash", "\"77QmUPtjPfzWtF2AnpK9RA\""}}, with_access), "");
  EXPECT_NE(refusal_of({{"at_hash", "null"}}, with_access), "");
  EXPECT_NE(refusal_of({{"at_hash", "\"77QmUPtjPfzWtF2AnpK9RQ\""}}, with_access, Algorithm::eddsa),
            "");
  EXPECT_EQ(refusal_of({{"at_hash", "\"q7nS86GgvvFaZkzALLWqJYaJIKw2wCDAVfCAsm5CrBM\""}},
                       with_access, Algorithm::eddsa),
            "");
}

TEST(IdToken, HasClaims) {
  for (const char* content : {"", "[]", "null", "{", "7"}) {
    Jws token;
    token.content = content;
    EXPECT_FALSE(check_id_token(token, rules())) << content;
  }
}

Members good_logout() {
  return with(good(), {{"nonce", ""},
                       {"jti", "\"j-1\""},
                       {"sid", "\"s-1\""},
                       {"events", R"({"http://schemas.openid.net/event/backchannel-logout":{}})"}});
}

Result<LogoutToken> logout_of(const Members& changes, std::optional<std::string> type = {}) {
  Jws token = token_of(with(good_logout(), changes));
  token.type = std::move(type);
  return check_logout_token(token, rules());
}

TEST(LogoutTokens, NameThePersonOrTheSession) {
  const auto both = logout_of({}, "logout+jwt");
  ASSERT_TRUE(both) << both.error().message;
  EXPECT_EQ(both->id, "j-1");
  EXPECT_EQ(both->subject, "248289761001");
  EXPECT_EQ(both->session, "s-1");
  EXPECT_EQ(both->expires_at, timestamp_of(kNowS + 360));
  const auto person = logout_of({{"sid", ""}});
  ASSERT_TRUE(person);
  EXPECT_EQ(person->session, std::nullopt);
  const auto session = logout_of({{"sub", ""}});
  ASSERT_TRUE(session);
  EXPECT_EQ(session->subject, std::nullopt);
  EXPECT_FALSE(logout_of({{"sub", ""}, {"sid", ""}}));
  EXPECT_FALSE(logout_of({{"sub", "7"}}));
  EXPECT_FALSE(logout_of({{"sid", "\"\""}}));
}

TEST(LogoutTokens, AreNothingElse) {
  for (const char* type : {"logout+jwt", "Logout+JWT", "application/logout+jwt", "JWT"}) {
    EXPECT_TRUE(logout_of({}, type)) << type;
  }
  for (const char* type : {"", "at+jwt", "dpop+jwt", "logout"}) EXPECT_FALSE(logout_of({}, type));
  EXPECT_FALSE(logout_of({{"nonce", "\"n-1\""}}));
  EXPECT_FALSE(logout_of({{"nonce", "null"}}));
  for (const char* events :
       {"", "{}", "null", "[]", R"(["http://schemas.openid.net/event/backchannel-logout"])",
        R"({"http://schemas.openid.net/event/backchannel-logout":1})",
        R"({"http://schemas.openid.net/event/other":{}})"}) {
    EXPECT_FALSE(logout_of({{"events", events}})) << events;
  }
  for (const char* id : {"", "\"\"", "7"}) EXPECT_FALSE(logout_of({{"jti", id}})) << id;
}

TEST(LogoutTokens, AreOfTheIssuerForTheClientAndOfThePresent) {
  EXPECT_FALSE(logout_of({{"iss", "\"https://evil.example.org\""}}));
  EXPECT_FALSE(logout_of({{"aud", "\"other\""}}));
  EXPECT_FALSE(logout_of({{"exp", ""}}));
  EXPECT_FALSE(logout_of({{"iat", ""}}));
  EXPECT_FALSE(logout_of({{"exp", std::to_string(kNowS - 60)}}));
  const std::string far = std::to_string(kNowS + 1'000'000);
  const auto fresh = logout_of({{"exp", far}});
  ASSERT_TRUE(fresh);
  EXPECT_EQ(fresh->expires_at, timestamp_of(kNowS - 5 + 3660));
  EXPECT_FALSE(logout_of({{"exp", far}, {"iat", std::to_string(kNowS - 3660)}}));
}

}  // namespace
}  // namespace coffer::oidc
