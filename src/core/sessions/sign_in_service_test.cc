#include "core/sessions/sign_in_service.h"

#include <gtest/gtest.h>
#include <sodium.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

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
    const SignInClient client{address, "Browser", device};
    const auto account = run(service_->check_password(name, password, client));
    if (!account) return failure_of(account);
    return run(service_->open_session(*account, {}, std::nullopt, client));
  }
  /// Counts failures without the time of hashes, which a wait could end in.
  void fail(const std::string& subject, int count) {
    for (int i = 0; i < count; ++i) {
      std::vector<catalog::SignInLimit> limits{{subject, 1000, {}}};
      ASSERT_EQ(run(catalog_->sign_in_failures().begin_attempt(std::move(limits))).value().time,
                std::chrono::seconds(0));
    }
  }
  /// As many guesses from one address at all names, and at the account, make it wait.
  void guess_from(const std::string& address) {
    fail("address " + address, 40);
    fail("account ada", 40);
    fail("from address " + address + ": account ada", 40);
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
  EXPECT_EQ(refusal("wrong"), ErrorCode::unauthenticated);
  fail("from address 192.0.2.1: account ada", 9);
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
  // Its own failures are counted, for it and the account.
  fail("device " + KnownDevice::parse(before.device).id() + ' ' + std::to_string(ada_.value), 20);
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
  guess_from("192.0.2.1");
  EXPECT_TRUE(sign_in(kPassword, "198.51.100.7"));
}

TEST_F(SignInServiceTest, AConfirmationLastsTenMinutes) {
  const auto signed_in = sign_in(kPassword).value();
  EXPECT_TRUE(check_confirmed(signed_in.principal));
  const auto confirmed_before = [&](std::chrono::seconds age) {
    Principal principal = signed_in.principal;
    catalog::WebSession session = *principal.session;
    session.confirmed_at = now() - age;
    principal.session = std::make_shared<const catalog::WebSession>(std::move(session));
    return check_confirmed(principal).has_value();
  };
  EXPECT_TRUE(confirmed_before(std::chrono::minutes(9)));
  EXPECT_FALSE(confirmed_before(kConfirmedFor));
}

TEST_F(SignInServiceTest, GuessesInASessionWaitAndHoldUpNobodyElse) {
  const auto mine = sign_in(kPassword).value();
  EXPECT_EQ(run(service_->check_own_password(mine.principal, "wrong")).error().code,
            ErrorCode::forbidden);
  EXPECT_EQ(run(service_->check_own_password(mine.principal, kPassword)).value().id, ada_);
  fail("session " + mine.principal.session->id.value, 20);
  EXPECT_EQ(run(service_->check_own_password(mine.principal, kPassword)).error().code,
            ErrorCode::rate_limited);
  EXPECT_TRUE(sign_in(kPassword));
}

TEST_F(SignInServiceTest, AnInventedNameCountsForNoAccount) {
  for (const char* name : {"ada from address 192.0.2.1", "from address 192.0.2.1: account ada"}) {
    for (int i = 0; i < 12; ++i) refusal("wrong", "198.51.100.7", name);
  }
  EXPECT_TRUE(sign_in(kPassword));
}

TEST_F(SignInServiceTest, AnAddressIsSlowedAndNotLocked) {
  fail("address 192.0.2.1", 60);
  const auto refused = sign_in(kPassword).error();
  EXPECT_EQ(refused.code, ErrorCode::rate_limited);
  EXPECT_LE(refused.retry_after, std::chrono::seconds(8));
}

TEST_F(SignInServiceTest, AGuessingGuestHoldsUpNoOther) {
  const std::string hash = hash_password(kPassword).value();
  const auto check = [&](const std::string& address) {
    return run(service_->check_guest("link 1", kPassword, hash, address));
  };
  fail("link 1", 40);
  fail("from address 192.0.2.1: link 1", 40);
  EXPECT_EQ(check("192.0.2.1").error().code, ErrorCode::rate_limited);
  EXPECT_TRUE(check("192.0.2.2"));
}

TEST_F(SignInServiceTest, AnAddressIsCountedForAllNamesAndAsItsNetwork) {
  fail("address 2001:db8::", 40);
  EXPECT_EQ(refusal("wrong", "2001:db8::1", "nobody"), ErrorCode::rate_limited);
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

/// Knows the password of each name and account.
class FakePasswordDirectory final : public PasswordDirectory {
 public:
  explicit FakePasswordDirectory(catalog::Account person) : person_(std::move(person)) {}

  Task<Result<std::optional<catalog::Account>>> sign_in(std::string, std::string password,
                                                        std::string) override {
    ++asked;
    if (error) co_return std::unexpected(*error);
    if (password != kPassword) co_return std::nullopt;
    co_return std::optional(person_);
  }
  Task<Result<bool>> knows(AccountId account) override { co_return account == person_.id; }
  Task<Result<bool>> is_password(AccountId, std::string password) override {
    ++asked;
    co_return password == kPassword;
  }

  std::optional<Error> error;
  int asked = 0;

 private:
  const catalog::Account person_;
};

class DirectoryPasswordTest : public SignInServiceTest {
 protected:
  void SetUp() override { service_->ask(directory_); }

  FakePasswordDirectory directory_{catalog_.add_account("bob", "")};
};

TEST_F(DirectoryPasswordTest, ItIsAskedForNamesWithoutAPasswordHere) {
  EXPECT_TRUE(sign_in(kPassword));
  EXPECT_EQ(refusal("wrong"), ErrorCode::unauthenticated);
  EXPECT_EQ(directory_.asked, 0);
  EXPECT_EQ(sign_in(kPassword, "192.0.2.1", "bob").value().principal.account->name, "bob");
  EXPECT_EQ(sign_in(kPassword, "192.0.2.1", "robert").value().principal.account->name, "bob");
  EXPECT_EQ(refusal("wrong", "192.0.2.1", "bob"), ErrorCode::unauthenticated);
  EXPECT_EQ(directory_.asked, 3);
}

TEST_F(DirectoryPasswordTest, SpellingsOfOneNameHaveOneCount) {
  fail("from address 192.0.2.1: account bob", 10);
  for (const char* name : {"bob", "BOB", " bob ", "b\u00f3b", "\uff42ob"}) {
    EXPECT_EQ(refusal(kPassword, "192.0.2.1", name), ErrorCode::rate_limited) << name;
  }
  EXPECT_EQ(directory_.asked, 0);
}

TEST_F(DirectoryPasswordTest, OneThatDoesNotAnswerCountsNothing) {
  directory_.error = Error{ErrorCode::unready, "It is down."};
  for (int i = 0; i < 15; ++i) {
    EXPECT_EQ(refusal("wrong", "192.0.2.1", "bob"), ErrorCode::unready);
  }
  directory_.error = Error{ErrorCode::forbidden, "Not here."};
  EXPECT_EQ(refusal(kPassword, "192.0.2.1", "bob"), ErrorCode::forbidden);
  directory_.error.reset();
  EXPECT_TRUE(sign_in(kPassword, "192.0.2.1", "bob"));
}

TEST_F(DirectoryPasswordTest, ItsPasswordConfirmsAndIsNotChangedHere) {
  const auto bob = sign_in(kPassword, "192.0.2.1", "bob").value();
  EXPECT_TRUE(run(service_->has_password(*bob.principal.account)).value());
  EXPECT_EQ(run(service_->check_own_password(bob.principal, "wrong")).error().code,
            ErrorCode::forbidden);
  EXPECT_TRUE(run(service_->check_own_password(bob.principal, kPassword)));
  const auto changed = run(service_->change_password(bob.principal, kPassword, "another one", ""));
  EXPECT_EQ(changed.error().message, "Your password is that of the directory: change it there.");
  const auto none = catalog_.add_account("eve", "");
  EXPECT_FALSE(run(service_->has_password(none)).value());
}

}  // namespace
}  // namespace coffer::core
