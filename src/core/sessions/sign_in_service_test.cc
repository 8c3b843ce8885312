#include "core/sessions/sign_in_service.h"

#include <gtest/gtest.h>
#include <sodium.h>

#include <memory>
#include <optional>

#include "async/run.h"
#include "catalog/testing/scratch_catalog.h"
#include "core/sessions/known_device.h"
#include "core/sessions/password.h"

namespace coffer::core {
namespace {

const std::string kPassword = "correct horse";

class SignInServiceTest : public testing::Test {
 protected:
  Result<SignedIn> sign_in(const std::string& password, const std::string& address = "192.0.2.1",
                           const std::string& name = "ada", const std::string& device = "") {
    return run(service_->sign_in(name, password, {address, "Browser", device}));
  }
  /// Wrong passwords from one address, until it has to wait.
  void guess_from(const std::string& address) {
    for (int i = 0; i < 30; ++i) refusal("wrong", address, "name" + std::to_string(i));
    for (int i = 0; i < 10; ++i) refusal("wrong", address);
    ASSERT_EQ(refusal(kPassword, address), ErrorCode::rate_limited);
  }
  ErrorCode refusal(const std::string& password, const std::string& address = "192.0.2.1",
                    const std::string& name = "ada") {
    return sign_in(password, address, name).error().code;
  }
  bool counts(const std::string& token) { return run(service_->by_token(token)).has_value(); }

  catalog::ScratchCatalog catalog_;
  PasswordQueue passwords_;
  PasswordChecks checks_{*catalog_};
  std::optional<SignInService> service_{std::in_place, *catalog_, passwords_, checks_};
  const AccountId ada_ = catalog_.add_account("ada", hash_password(kPassword).value()).id;
};

TEST_F(SignInServiceTest, ASessionOpensTheAccount) {
  const auto signed_in = sign_in(kPassword).value();
  EXPECT_EQ(signed_in.principal.account->name, "ada");
  EXPECT_EQ(signed_in.principal.session->agent, "Browser");
  EXPECT_EQ(run(service_->by_token(signed_in.token)).value().account->id, ada_);
  EXPECT_FALSE(counts("no token"));
  ASSERT_TRUE(run(service_->sign_out(signed_in.principal)));
  EXPECT_FALSE(counts(signed_in.token));
}

TEST_F(SignInServiceTest, AllThatIsWrongIsRefusedAlike) {
  catalog::NewAccount none;
  none.name = "bob";
  ASSERT_TRUE(run(catalog_->accounts().add(std::move(none))));
  catalog::NewAccount disabled;
  disabled.name = "eve";
  disabled.password_hash = hash_password(kPassword).value();
  const auto eve = run(catalog_->accounts().add(std::move(disabled))).value().id;
  catalog::AccountChange change;
  change.disabled = true;
  ASSERT_TRUE(run(catalog_->accounts().change(eve, std::move(change))));
  const auto wrong = sign_in("wrong").error();
  EXPECT_EQ(wrong.code, ErrorCode::unauthenticated);
  EXPECT_EQ(sign_in(kPassword, "192.0.2.1", "nobody").error(), wrong);
  EXPECT_EQ(sign_in("", "192.0.2.1", "bob").error(), wrong) << "it has no password";
  EXPECT_EQ(sign_in(kPassword, "192.0.2.1", "eve").error(), wrong);
}

TEST_F(SignInServiceTest, GuessingWaitsAlsoWithTheRightPassword) {
  for (int i = 0; i < 10; ++i) EXPECT_EQ(refusal("wrong"), ErrorCode::unauthenticated);
  const auto refused = sign_in(kPassword).error();
  EXPECT_EQ(refused.code, ErrorCode::rate_limited);
  EXPECT_EQ(refused.retry_after, std::chrono::seconds(1));
}

TEST_F(SignInServiceTest, AGuessingAddressHoldsUpNoKnownDevice) {
  const auto before = sign_in(kPassword).value();
  guess_from("192.0.2.1");
  const auto again = sign_in(kPassword, "192.0.2.1", "ada", before.device);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->device, before.device);
  // The device's own wrong ones are counted, for it and the account.
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(sign_in("wrong", "192.0.2.1", "ada", before.device).error().code,
              ErrorCode::unauthenticated);
  }
  EXPECT_EQ(sign_in(kPassword, "192.0.2.1", "ada", before.device).error().code,
            ErrorCode::rate_limited);
}

TEST_F(SignInServiceTest, ADeviceIsKnownToItsAccountAlone) {
  catalog_.add_account("bob", hash_password(kPassword).value());
  const auto bob = sign_in(kPassword, "192.0.2.1", "bob").value();
  guess_from("192.0.2.1");
  EXPECT_EQ(sign_in(kPassword, "192.0.2.1", "ada", bob.device).error().code,
            ErrorCode::rate_limited);
  EXPECT_TRUE(sign_in(kPassword, "192.0.2.1", "bob", bob.device));
}

TEST_F(SignInServiceTest, AGuessingAddressHoldsUpNoSession) {
  const auto mine = sign_in(kPassword).value();
  guess_from("192.0.2.1");
  EXPECT_TRUE(run(service_->change_password(mine.principal, kPassword, "another one", "")));
}

TEST_F(SignInServiceTest, AGuessingAddressHoldsUpNoOtherAddressAtTheAccount) {
  for (int i = 0; i < 10; ++i) EXPECT_EQ(refusal("wrong"), ErrorCode::unauthenticated);
  EXPECT_EQ(refusal(kPassword), ErrorCode::rate_limited);
  EXPECT_TRUE(sign_in(kPassword, "198.51.100.7"));
}

TEST_F(SignInServiceTest, AnAddressIsSlowedAndNotLocked) {
  // With what so many failures in a row would have made of a wait that goes on doubling.
  for (int i = 0; i < 60; ++i) {
    ASSERT_EQ(run(catalog_->sign_in_failures().begin_attempt({{"address 192.0.2.1", 1000, {}}}))
                  .value()
                  .time,
              std::chrono::seconds(0));
  }
  const auto refused = sign_in(kPassword).error();
  EXPECT_EQ(refused.code, ErrorCode::rate_limited);
  EXPECT_LE(refused.retry_after, std::chrono::seconds(8));
}

TEST_F(SignInServiceTest, AGuessingGuestHoldsUpNoOther) {
  const std::string hash = hash_password(kPassword).value();
  const auto check = [&](const std::string& password, const std::string& address) {
    const auto checked = run(service_->check_guest("link 1", password, hash, address));
    return checked ? ErrorCode::exists : checked.error().code;
  };
  for (int i = 0; i < 10; ++i) EXPECT_EQ(check("wrong", "192.0.2.1"), ErrorCode::unauthenticated);
  EXPECT_EQ(check(kPassword, "192.0.2.1"), ErrorCode::rate_limited);
  EXPECT_EQ(check(kPassword, "192.0.2.2"), ErrorCode::exists);
}

TEST_F(SignInServiceTest, AnAddressIsCountedForAllNamesAndAsItsNetwork) {
  for (int i = 0; i < 30; ++i) {
    const std::string address = "2001:db8::" + std::to_string(i);
    EXPECT_EQ(refusal("wrong", address, "name" + std::to_string(i)), ErrorCode::unauthenticated);
  }
  EXPECT_EQ(refusal(kPassword, "2001:db8::ffff"), ErrorCode::rate_limited);
  EXPECT_TRUE(sign_in(kPassword, "2001:db8:0:1::1"));
}

TEST_F(SignInServiceTest, AHashOfOtherParametersIsRenewed) {
  // Of kPassword, with one operation over 8 MiB.
  char weak[crypto_pwhash_STRBYTES];
  ASSERT_EQ(crypto_pwhash_str_alg(weak, kPassword.data(), kPassword.size(), 1, 8 << 20,
                                  crypto_pwhash_ALG_ARGON2ID13),
            0);
  catalog::AccountChange change;
  change.password_hash = weak;
  ASSERT_TRUE(run(catalog_->accounts().change(ada_, std::move(change))));
  EXPECT_EQ(refusal("wrong"), ErrorCode::unauthenticated);
  const auto first = sign_in(kPassword).value();
  EXPECT_FALSE(needs_new_hash(run(catalog_->accounts().get(ada_)).value().password_hash));
  const auto account = run(catalog_->accounts().get(ada_)).value();
  EXPECT_TRUE(KnownDevice::parse(first.device).knows(account)) << "marked after the renewal";
  EXPECT_TRUE(sign_in(kPassword));
  EXPECT_TRUE(counts(first.token)) << "renewing ends no session";
}

TEST_F(SignInServiceTest, ANewPasswordEndsTheOtherSessions) {
  const auto mine = sign_in(kPassword).value();
  const auto other = sign_in(kPassword).value();
  const auto change = [&](const std::string& current, const std::string& fresh) {
    return run(service_->change_password(mine.principal, current, fresh, mine.device));
  };
  EXPECT_EQ(change("wrong", "another one").error().code, ErrorCode::forbidden);
  EXPECT_EQ(change(kPassword, "short").error().code, ErrorCode::invalid);
  EXPECT_TRUE(counts(other.token));
  const auto device = change(kPassword, "another one");
  ASSERT_TRUE(device);
  EXPECT_NE(*device, mine.device);
  EXPECT_TRUE(counts(mine.token));
  EXPECT_FALSE(counts(other.token));
  EXPECT_EQ(refusal(kPassword), ErrorCode::unauthenticated);
  EXPECT_TRUE(sign_in("another one"));
  const auto account = run(catalog_->accounts().get(ada_)).value();
  EXPECT_TRUE(KnownDevice::parse(*device).knows(account));
  EXPECT_FALSE(KnownDevice::parse(mine.device).knows(account));
}

TEST_F(SignInServiceTest, OthersAreEndedTogetherOrOneByOne) {
  const auto mine = sign_in(kPassword).value();
  const auto second = sign_in(kPassword).value();
  const auto third = sign_in(kPassword).value();
  EXPECT_EQ(run(service_->list(mine.principal)).value().size(), 3U);
  ASSERT_TRUE(run(service_->end(mine.principal, second.principal.session->id)));
  EXPECT_FALSE(counts(second.token));
  ASSERT_TRUE(run(service_->end_others(mine.principal)));
  EXPECT_TRUE(counts(mine.token));
  EXPECT_FALSE(counts(third.token));
}

TEST_F(SignInServiceTest, ACsrfTokenBelongsToItsSession) {
  const std::string token = csrf_token_of("one");
  EXPECT_TRUE(is_csrf_token(token, "one"));
  EXPECT_FALSE(is_csrf_token(token, "two"));
  EXPECT_FALSE(is_csrf_token("", "one"));
  EXPECT_FALSE(is_csrf_token(token + "0", "one"));
}

}  // namespace
}  // namespace coffer::core
