#include "core/identity/second_factor_service.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "async/run.h"
#include "base/clock.h"
#include "catalog/testing/scratch_catalog.h"
#include "core/identity/recovery_codes.h"
#include "core/identity/totp.h"

namespace coffer::core {
namespace {

const std::string kPassword = "correct horse";

class SecondFactorServiceTest : public testing::Test {
 protected:
  /// At the beginning of a step, so that no test goes on into the next, where codes are others.
  void SetUp() override {
    constexpr std::chrono::seconds kStep{30};
    const auto here = std::chrono::steady_clock::now();
    follow_clock(Timestamp((totp_step(own_now()) + 1) * kStep), here, here);
  }
  void TearDown() override { follow_own_clock(); }

  SignInClient client(const std::string& address = "192.0.2.1") { return {address, "Browser", {}}; }
  SecondFactorService::Outcome sign_in() {
    return run(service_.sign_in("ada", kPassword, client())).value();
  }
  std::string challenge() { return std::get<SecondFactorChallenge>(sign_in()).token; }
  Result<SignedIn> complete(const std::string& challenge, const std::string& code) {
    return run(service_.complete(challenge, code, client()));
  }
  ErrorCode refusal(const std::string& challenge, const std::string& code) {
    return complete(challenge, code).error().code;
  }
  /// The code of `steps` after the present one.
  std::string code_of(int steps = 0) {
    const auto factor = run(catalog_->second_factors().find(ada_)).value();
    const auto secret = sealer_.open(factor.totp->sealed_secret).value();
    return totp_code(secret, totp_step(now()) + steps);
  }
  void turn_on() {
    mine_ = std::get<SignedIn>(sign_in()).principal;
    const auto made = run(service_.begin_totp(mine_)).value();
    ASSERT_EQ(made.secret.size(), 32U);
    ASSERT_TRUE(made.uri.contains(made.secret));
    codes_ = run(service_.confirm_totp(mine_, code_of(-1))).value();
  }

  std::string hash_of(const std::string& password) {
    auto place = passwords_.enter(PasswordAsker::command()).value();
    return run(place.hash(password)).value();
  }

  catalog::ScratchCatalog catalog_;
  PasswordQueue passwords_;
  PasswordChecks checks_{*catalog_};
  SignInService sign_in_{*catalog_, passwords_, checks_};
  const Sealer sealer_{Sealer::make_key()};
  SecondFactorService service_{*catalog_, sign_in_, sealer_};
  const AccountId ada_ = catalog_.add_account("ada", hash_of(kPassword)).id;
  Principal mine_;
  std::vector<std::string> codes_;
};

TEST_F(SecondFactorServiceTest, ThePasswordIsEnoughUntilItIsOn) {
  const auto signed_in = std::get<SignedIn>(sign_in());
  EXPECT_EQ(signed_in.principal.session->method, catalog::SignInMethod::password);
  ASSERT_TRUE(run(service_.begin_totp(signed_in.principal)));
  EXPECT_TRUE(std::holds_alternative<SignedIn>(sign_in()));
  EXPECT_EQ(run(service_.confirm_totp(signed_in.principal, "000000x")).error().code,
            ErrorCode::forbidden);
  EXPECT_TRUE(std::holds_alternative<SignedIn>(sign_in()));
}

TEST_F(SecondFactorServiceTest, ACodeOpensTheSessionOnce) {
  turn_on();
  const std::string token = challenge();
  EXPECT_EQ(refusal(token, code_of(-1)), ErrorCode::unauthenticated) << "it was used to turn it on";
  const auto signed_in = complete(token, code_of()).value();
  EXPECT_EQ(signed_in.principal.account->id, ada_);
  EXPECT_EQ(signed_in.principal.session->method, catalog::SignInMethod::password_totp);
  EXPECT_EQ(refusal(challenge(), code_of()), ErrorCode::unauthenticated);
}

TEST_F(SecondFactorServiceTest, EachRecoveryCodeCountsOnceHoweverItIsTyped) {
  turn_on();
  ASSERT_EQ(codes_.size(), kRecoveryCodes);
  std::string typed = " " + codes_[0];
  for (char& c : typed) c = c == '0' ? 'O' : c == '1' ? 'l' : static_cast<char>(std::toupper(c));
  EXPECT_EQ(complete(challenge(), typed).value().principal.session->method,
            catalog::SignInMethod::password_recovery);
  EXPECT_EQ(refusal(challenge(), codes_[0]), ErrorCode::unauthenticated);
  EXPECT_TRUE(complete(challenge(), codes_[1]));
  EXPECT_EQ(run(service_.show(mine_)).value().recovery_codes, 8U);
  const auto fresh = run(service_.renew_recovery_codes(mine_)).value();
  EXPECT_EQ(refusal(challenge(), codes_[2]), ErrorCode::unauthenticated);
  EXPECT_TRUE(complete(challenge(), fresh[0]));
}

TEST_F(SecondFactorServiceTest, WhatIsNoChallengeIsRefused) {
  turn_on();
  std::string broken = challenge();
  broken[broken.size() / 2] = broken[broken.size() / 2] == 'A' ? 'B' : 'A';
  for (const std::string& wrong :
       {std::string(), std::string("x"), broken, sealer_.seal("second factor 1"),
        sealer_.seal("second factor 1\n1\n1\nx"), sealer_.seal("content address 2\n1\n9\nx")}) {
    EXPECT_EQ(refusal(wrong, codes_[0]), ErrorCode::unauthenticated) << wrong;
  }
  EXPECT_TRUE(complete(challenge(), codes_[0])) << "none of them used it up";
}

TEST_F(SecondFactorServiceTest, AChallengeEndsWithThePasswordAndTheAccount) {
  turn_on();
  const std::string before = challenge();
  catalog::AccountChange change;
  change.password_hash = hash_of("another password");
  ASSERT_TRUE(run(catalog_->accounts().change(ada_, std::move(change))));
  EXPECT_EQ(refusal(before, codes_[0]), ErrorCode::unauthenticated);
  const auto outcome = run(service_.sign_in("ada", "another password", client())).value();
  const std::string token = std::get<SecondFactorChallenge>(outcome).token;
  catalog::AccountChange disabled;
  disabled.disabled = true;
  ASSERT_TRUE(run(catalog_->accounts().change(ada_, std::move(disabled))));
  EXPECT_EQ(refusal(token, codes_[0]), ErrorCode::unauthenticated);
}

TEST_F(SecondFactorServiceTest, GuessesOfCodesWait) {
  turn_on();
  const std::string token = challenge();
  int tries = 0;
  while (refusal(token, "00000") == ErrorCode::unauthenticated && tries < 100) ++tries;
  EXPECT_EQ(tries, 10);
  EXPECT_EQ(refusal(token, codes_[0]), ErrorCode::rate_limited);
  // Elsewhere the person gets in, and that ends the waiting of nobody else.
  EXPECT_TRUE(run(service_.complete(token, codes_[0], client("198.51.100.7"))));
  EXPECT_EQ(refusal(token, codes_[1]), ErrorCode::rate_limited);
}

TEST_F(SecondFactorServiceTest, AConfirmationTakesBoth) {
  turn_on();
  const auto refused = [&](const std::string& password, std::optional<std::string> code) {
    return run(service_.confirm(mine_, password, std::move(code))).error().code;
  };
  EXPECT_EQ(refused(kPassword, {}), ErrorCode::invalid);
  EXPECT_EQ(refused("wrong", codes_[0]), ErrorCode::forbidden);
  EXPECT_EQ(refused(kPassword, "00000"), ErrorCode::forbidden);
  EXPECT_EQ(refused(kPassword, code_of(-1)), ErrorCode::forbidden) << "it was used";
  EXPECT_TRUE(run(service_.confirm(mine_, kPassword, code_of())));
  EXPECT_TRUE(run(service_.confirm(mine_, kPassword, codes_[0]))) << "it was not used up";
}

TEST_F(SecondFactorServiceTest, ItIsTurnedOffByItsOwnerOrAnAdministrator) {
  turn_on();
  EXPECT_EQ(run(service_.accounts()).value(), std::set{ada_});
  ASSERT_TRUE(run(service_.remove_totp(mine_)));
  EXPECT_TRUE(std::holds_alternative<SignedIn>(sign_in()));
  EXPECT_EQ(run(service_.remove_of("ada", {})).error().code, ErrorCode::not_found);
  EXPECT_EQ(run(service_.remove_of("eve", {})).error().code, ErrorCode::not_found);
  turn_on();
  ASSERT_TRUE(run(service_.remove_of("ada", {})));
  EXPECT_TRUE(std::holds_alternative<SignedIn>(sign_in()));
}

TEST_F(SecondFactorServiceTest, AnotherKeyFileOpensNothing) {
  turn_on();
  const Sealer other{Sealer::make_key()};
  SecondFactorService elsewhere(*catalog_, sign_in_, other);
  const auto outcome = run(elsewhere.sign_in("ada", kPassword, client())).value();
  const std::string token = std::get<SecondFactorChallenge>(outcome).token;
  EXPECT_FALSE(run(elsewhere.complete(token, code_of(), client())));
  EXPECT_FALSE(run(elsewhere.complete(token, codes_[0], client())));
}

}  // namespace
}  // namespace coffer::core
