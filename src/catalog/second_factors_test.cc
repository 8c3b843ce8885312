#include "catalog/second_factors.h"

#include "async/run.h"
#include "catalog/testing/test_catalog.h"

namespace coffer::catalog {
namespace {

class SecondFactorsTest : public CatalogTest {
 protected:
  void SetUp() override {
    CatalogTest::SetUp();
    account_ = add_account("ada");
  }
  SecondFactors& factors() { return catalog_->second_factors(); }
  SecondFactor found() { return run(factors().find(account_.id)).value(); }
  void set_up(std::int64_t step = 100) {
    ASSERT_TRUE(run(factors().begin_totp(account_.id, "sealed", {})));
    std::vector<SecretHash> codes{hash_of(201), hash_of(202)};
    ASSERT_TRUE(run(factors().confirm_totp(account_.id, "sealed", {step}, std::move(codes), {})));
  }
  Result<WebSession> sign_in(std::optional<UsedFactor> code,
                             SignInMethod method = SignInMethod::password) {
    NewWebSession wanted{account_.id, account_.password_hash, "192.0.2.1", "Browser",
                         hash_of(next_session_++)};
    wanted.origin.method = method;
    wanted.factor = code;
    return run(catalog_->web_sessions().create(std::move(wanted), 10));
  }
  ErrorCode refusal(std::optional<UsedFactor> code) { return sign_in(code).error().code; }

  Account account_;
  std::uint8_t next_session_ = 1;
};
COFFER_ON_BOTH_DATABASES(SecondFactorsTest);

TEST_P(SecondFactorsTest, NoneIsAskedForBeforeItIsConfirmed) {
  EXPECT_FALSE(found().totp);
  ASSERT_TRUE(run(factors().begin_totp(account_.id, "sealed", {})));
  ASSERT_TRUE(run(factors().begin_totp(account_.id, "sealed anew", {})));
  EXPECT_EQ(found().totp->sealed_secret, "sealed anew");
  EXPECT_FALSE(found().is_on());
  EXPECT_TRUE(sign_in({}));
  EXPECT_TRUE(run(factors().accounts()).value().empty());
  EXPECT_EQ(run(factors().confirm_totp(account_.id, "sealed", {100}, {}, {})).error().code,
            ErrorCode::changed)
      << "that one was replaced";
}

TEST_P(SecondFactorsTest, FromThenOnAPasswordIsNotEnough) {
  set_up();
  EXPECT_TRUE(found().is_on());
  EXPECT_EQ(found().recovery_codes, 2U);
  EXPECT_EQ(run(factors().accounts()).value(), std::set{account_.id});
  EXPECT_EQ(refusal({}), ErrorCode::unauthenticated);
  EXPECT_TRUE(sign_in(TotpStep{101}));
  EXPECT_TRUE(sign_in({}, SignInMethod::setup_link)) << "no password began it";
  EXPECT_EQ(run(factors().begin_totp(account_.id, "other", {})).error().code, ErrorCode::exists);
}

TEST_P(SecondFactorsTest, ACodeCountsOnce) {
  set_up(100);
  EXPECT_EQ(refusal(TotpStep{100}), ErrorCode::unauthenticated) << "it confirmed the authenticator";
  EXPECT_TRUE(sign_in(TotpStep{101}));
  EXPECT_EQ(refusal(TotpStep{101}), ErrorCode::unauthenticated);
  EXPECT_EQ(refusal(TotpStep{99}), ErrorCode::unauthenticated);
  EXPECT_TRUE(sign_in(hash_of(201)));
  EXPECT_EQ(refusal(hash_of(201)), ErrorCode::unauthenticated);
  EXPECT_EQ(refusal(hash_of(203)), ErrorCode::unauthenticated);
  EXPECT_EQ(found().recovery_codes, 1U);
}

TEST_P(SecondFactorsTest, ACodeThatOpensNoSessionIsNotUsedUp) {
  set_up();
  NewWebSession wanted{account_.id, "a hash of before", "192.0.2.1", "Browser", hash_of(1)};
  wanted.factor = hash_of(201);
  ASSERT_FALSE(run(catalog_->web_sessions().create(std::move(wanted), 10)));
  EXPECT_EQ(found().recovery_codes, 2U);
  EXPECT_TRUE(sign_in(hash_of(201)));
}

TEST_P(SecondFactorsTest, AConfirmationUsesACodeUpToo) {
  set_up(100);
  const auto session = sign_in(TotpStep{101}).value();
  const auto confirmed = [&](std::optional<UsedFactor> code) {
    return run(catalog_->web_sessions().confirm(account_.id, session.id, account_.password_hash,
                                                code))
        .has_value();
  };
  EXPECT_FALSE(confirmed({}));
  EXPECT_FALSE(confirmed(TotpStep{101}));
  EXPECT_TRUE(confirmed(TotpStep{102}));
  EXPECT_FALSE(confirmed(TotpStep{102}));
}

TEST_P(SecondFactorsTest, ACodeOfAnotherAccountIsNone) {
  set_up();
  const Account ada = account_;
  account_ = add_account("bob");
  EXPECT_EQ(refusal(hash_of(201)), ErrorCode::unauthenticated);
  ASSERT_TRUE(run(factors().begin_totp(account_.id, "sealed", {})));
  ASSERT_TRUE(run(factors().confirm_totp(account_.id, "sealed", {1}, {hash_of(210)}, {})));
  EXPECT_EQ(refusal(hash_of(201)), ErrorCode::unauthenticated);
  account_ = ada;
  EXPECT_TRUE(sign_in(hash_of(201)));
}

TEST_P(SecondFactorsTest, NewRecoveryCodesReplaceTheOthers) {
  EXPECT_EQ(run(factors().replace_codes(account_.id, {hash_of(1)}, {})).error().code,
            ErrorCode::changed);
  set_up();
  ASSERT_TRUE(run(factors().replace_codes(account_.id, {hash_of(220)}, {})));
  EXPECT_EQ(found().recovery_codes, 1U);
  EXPECT_EQ(refusal(hash_of(201)), ErrorCode::unauthenticated);
  EXPECT_TRUE(sign_in(hash_of(220)));
}

TEST_P(SecondFactorsTest, WithoutItThePasswordIsEnoughAgain) {
  EXPECT_EQ(run(factors().remove(account_.id, {})).error().code, ErrorCode::not_found);
  set_up();
  ASSERT_TRUE(run(factors().remove(account_.id, {})));
  EXPECT_FALSE(found().totp);
  EXPECT_EQ(found().recovery_codes, 0U);
  EXPECT_EQ(refusal(hash_of(201)), ErrorCode::unauthenticated) << "asked before it was removed";
  EXPECT_TRUE(sign_in({}));
}

TEST_P(SecondFactorsTest, ItGoesWithTheAccount) {
  set_up();
  ASSERT_TRUE(run(catalog_->accounts().remove(account_.id)));
  EXPECT_TRUE(run(factors().accounts()).value().empty());
}

}  // namespace
}  // namespace coffer::catalog
