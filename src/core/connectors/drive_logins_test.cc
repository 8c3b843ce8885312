#include "core/connectors/drive_logins.h"

#include <gtest/gtest.h>

#include <string>

namespace coffer::core {
namespace {

PendingLogin some_login() {
  PendingLogin login;
  login.account = AccountId{7};
  login.by_administrator = true;
  login.expires_at = parse_timestamp("2026-11-21T06:14:09").value();
  login.redirect = "https://files.example.org/back";
  login.verifier = "v-e-r";
  login.settings.provider = "hidrive";
  login.settings.may_be_private = true;
  login.settings.parameters = {{"client_id", "c"}, {"client_secret", "hunter2"}};
  return login;
}

TEST(PendingLogin, ComesBackAsItWentAndShowsNothing) {
  const Sealer sealer(Sealer::make_key());
  const std::string sealed = seal_login(some_login(), sealer);
  EXPECT_EQ(sealed.find("hunter2"), std::string::npos);
  const auto opened = open_login(sealed, sealer);
  ASSERT_TRUE(opened);
  EXPECT_EQ(opened->account, AccountId{7});
  EXPECT_TRUE(opened->by_administrator);
  EXPECT_EQ(opened->expires_at, some_login().expires_at);
  EXPECT_EQ(opened->redirect, "https://files.example.org/back");
  EXPECT_EQ(opened->verifier, "v-e-r");
  EXPECT_EQ(opened->settings.provider, "hidrive");
  EXPECT_TRUE(opened->settings.may_be_private);
  EXPECT_EQ(opened->settings.parameters, some_login().settings.parameters);
}

TEST(PendingLogin, IsTakenFromNobodyElse) {
  const Sealer sealer(Sealer::make_key());
  const Sealer other(Sealer::make_key());
  const std::string sealed = seal_login(some_login(), sealer);
  std::string altered = sealed;
  altered[40] = altered[40] == 'A' ? 'B' : 'A';
  for (const std::string& given :
       {altered, sealed + "AAAA", sealed.substr(4), std::string(), std::string("nonsense"),
        sealer.seal(R"({"token":"what a connector keeps"})"), sealer.seal("no JSON"),
        seal_login(some_login(), other)}) {
    const auto opened = open_login(given, sealer);
    ASSERT_FALSE(opened) << given;
    EXPECT_EQ(opened.error().code, ErrorCode::invalid);
  }
}

TEST(PendingLogin, TheStateIsOfThisLoginAlone) {
  const Sealer sealer(Sealer::make_key());
  const std::string one = state_of(seal_login(some_login(), sealer));
  EXPECT_NE(one, state_of(seal_login(some_login(), sealer)));
  EXPECT_EQ(one.size(), 43U);
  EXPECT_EQ(
      one.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"),
      std::string::npos);
}

TEST(PendingLogin, TheChallengeIsThatOfTheStandardsExample) {
  // RFC 7636, appendix B.
  EXPECT_EQ(challenge_of("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"),
            "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM");
}

}  // namespace
}  // namespace coffer::core
