#include "core/identity/passkey_service.h"

#include <gtest/gtest.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <sodium.h>

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "async/run.h"
#include "base/encoding.h"
#include "base/random.h"
#include "catalog/testing/scratch_catalog.h"
#include "core/identity/recovery_codes.h"

namespace coffer::core {
namespace {

const std::string kPasskeyPassword = "correct horse";
const PasskeyDomain kDomain{"files.example.org", "https://files.example.org"};

/// What an authenticator says of itself.
struct Shown {
  bool is_verified = true;
  std::uint32_t counter = 0;
  std::string origin = kDomain.origin;
  std::string rp_id = kDomain.rp_id;
};

/// A passkey in software, with a key on P-256.
class SoftPasskey {
 public:
  MadePasskey made(const std::string& challenge, const Shown& shown = {}) const {
    std::string data = head(shown, 0x40) + std::string(16, '\0') + std::string("\0\x20", 2) + id_;
    return {client_data("create", challenge, shown), data + cose_key(), {"internal"}};
  }
  ShownPasskey shown(const std::string& challenge, const Shown& shown = {}) const {
    ShownPasskey passkey;
    passkey.credential_id = to_base64url(id_);
    passkey.answer.client_data = client_data("get", challenge, shown);
    passkey.answer.authenticator_data = head(shown, 0);
    passkey.answer.signature =
        sign(passkey.answer.authenticator_data + sha256(passkey.answer.client_data));
    return passkey;
  }

 private:
  static std::string sha256(std::string_view text) {
    std::string digest(crypto_hash_sha256_BYTES, '\0');
    crypto_hash_sha256(reinterpret_cast<unsigned char*>(digest.data()),
                       reinterpret_cast<const unsigned char*>(text.data()), text.size());
    return digest;
  }
  static std::string client_data(const std::string& type, const std::string& challenge,
                                 const Shown& shown) {
    return R"({"type":"webauthn.)" + type + R"(","challenge":")" + challenge + R"(","origin":")" +
           shown.origin + R"("})";
  }
  static std::string head(const Shown& shown, int flags) {
    std::string data = sha256(shown.rp_id);
    data += static_cast<char>(flags | 0x01 | (shown.is_verified ? 0x04 : 0));
    for (const int shift : {24, 16, 8, 0}) data += static_cast<char>(shown.counter >> shift);
    return data;
  }
  /// In CBOR (RFC 9053, section 7.1.1).
  std::string cose_key() const {
    std::array<unsigned char, 65> point{};
    std::size_t size = 0;
    EXPECT_EQ(EVP_PKEY_get_octet_string_param(key_.get(), "pub", point.data(), point.size(), &size),
              1);
    const std::string text(point.begin(), point.end());
    return "\xa5\x01\x02\x03\x26\x20\x01\x21\x58\x20" + text.substr(1, 32) + "\x22\x58\x20" +
           text.substr(33);
  }
  std::string sign(const std::string& text) const {
    const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(),
                                                                          &EVP_MD_CTX_free);
    EXPECT_EQ(EVP_DigestSignInit(context.get(), nullptr, EVP_sha256(), nullptr, key_.get()), 1);
    std::array<unsigned char, 80> signature{};
    std::size_t size = signature.size();
    EXPECT_EQ(EVP_DigestSign(context.get(), signature.data(), &size,
                             reinterpret_cast<const unsigned char*>(text.data()), text.size()),
              1);
    return {signature.begin(), signature.begin() + static_cast<std::ptrdiff_t>(size)};
  }

  const std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> key_{EVP_EC_gen("P-256"),
                                                                 &EVP_PKEY_free};
  const std::string id_ = random_hex(16);
};

class PasskeyServiceTest : public testing::Test {
 protected:
  SignInClient client() { return {"192.0.2.1", "Browser", {}}; }
  SecondFactorService::Outcome by_password() {
    return run(second_factors_.sign_in("ada", kPasskeyPassword, client())).value();
  }
  Result<RegisteredPasskey> add(const SoftPasskey& passkey, const Shown& shown = {}) {
    const auto begun = run(service_.begin_registration(mine_)).value();
    return run(service_.add(mine_, kDomain, "Key", passkey.made(begun.challenge, shown)));
  }
  std::string challenge() { return run(service_.begin_sign_in(std::nullopt)).value().challenge; }
  Result<SignedIn> sign_in(const SoftPasskey& passkey, const Shown& shown = {}) {
    return run(service_.sign_in(kDomain, passkey.shown(challenge(), shown), client()));
  }

  std::string hash_of(const std::string& password) {
    auto place = passwords_.enter(PasswordAsker::command()).value();
    return run(place.hash(password)).value();
  }

  catalog::ScratchCatalog catalog_;
  Pool pool_{1};
  PasswordQueue passwords_;
  PasswordChecks checks_{*catalog_};
  SignInService sign_in_{*catalog_, passwords_, checks_};
  const Sealer sealer_{Sealer::make_key()};
  SecondFactorService second_factors_{*catalog_, sign_in_, sealer_};
  PasskeyService service_{*catalog_, sign_in_, second_factors_, sealer_, pool_};
  const AccountId ada_ = catalog_.add_account("ada", hash_of(kPasskeyPassword)).id;
  Principal mine_ = std::get<SignedIn>(by_password()).principal;
  SoftPasskey passkey_;
};

TEST_F(PasskeyServiceTest, OpensItsAccountWithoutAName) {
  ASSERT_TRUE(add(passkey_));
  const auto signed_in = sign_in(passkey_);
  ASSERT_TRUE(signed_in);
  EXPECT_EQ(signed_in->principal.account->id, ada_);
  EXPECT_EQ(signed_in->principal.session->method, catalog::SignInMethod::passkey);
  EXPECT_TRUE(signed_in->principal.has_second_factor);
}

TEST_F(PasskeyServiceTest, TheFirstOneMakesRecoveryCodesAndThePasswordAloneIsNotEnough) {
  const auto first = add(passkey_).value();
  EXPECT_EQ(first.recovery_codes.size(), kRecoveryCodes);
  EXPECT_EQ(first.passkey.name, "Key");
  const auto outcome = by_password();
  const auto* const wanted = std::get_if<SecondFactorChallenge>(&outcome);
  ASSERT_NE(wanted, nullptr);
  EXPECT_TRUE(wanted->has_passkey);
  EXPECT_FALSE(wanted->has_totp);
  const SoftPasskey second;
  EXPECT_TRUE(add(second).value().recovery_codes.empty());
  // A recovery code does in the place of a passkey; no authenticator's code does.
  EXPECT_FALSE(run(second_factors_.complete(wanted->token, "123456", client())));
  EXPECT_TRUE(run(second_factors_.complete(wanted->token, first.recovery_codes[0], client())));
}

TEST_F(PasskeyServiceTest, IsTheSecondStepForItsAccountAlone) {
  ASSERT_TRUE(add(passkey_));
  const auto outcome = by_password();
  const auto step = std::get<SecondFactorChallenge>(outcome).token;
  const auto request = run(service_.begin_sign_in(step)).value();
  ASSERT_EQ(request.passkeys.size(), 1U);
  EXPECT_TRUE(run(service_.sign_in(kDomain, passkey_.shown(request.challenge), client())));

  const auto begun = run(service_.begin_sign_in(step)).value();
  const AccountId bob = catalog_.add_account("bob", hash_of(kPasskeyPassword)).id;
  auto his =
      std::get<SignedIn>(run(second_factors_.sign_in("bob", kPasskeyPassword, client())).value());
  const SoftPasskey other;
  const auto registration = run(service_.begin_registration(his.principal)).value();
  ASSERT_TRUE(run(service_.add(his.principal, kDomain, "His", other.made(registration.challenge))));
  EXPECT_FALSE(run(service_.sign_in(kDomain, other.shown(begun.challenge), client())));
  EXPECT_EQ(sign_in(other)->principal.account->id, bob);
}

TEST_F(PasskeyServiceTest, AnAnswerCountsOnce) {
  const auto begun = run(service_.begin_registration(mine_)).value();
  const auto made = passkey_.made(begun.challenge);
  ASSERT_TRUE(run(service_.add(mine_, kDomain, "Key", made)));
  ASSERT_TRUE(run(service_.remove(mine_, run(service_.list(mine_)).value()[0].id)));
  EXPECT_EQ(run(service_.add(mine_, kDomain, "Key", made)).error().code, ErrorCode::forbidden);

  ASSERT_TRUE(add(passkey_));
  const auto shown = passkey_.shown(challenge());
  EXPECT_TRUE(run(service_.sign_in(kDomain, shown, client())));
  EXPECT_EQ(run(service_.sign_in(kDomain, shown, client())).error().code,
            ErrorCode::unauthenticated);
}

TEST_F(PasskeyServiceTest, WithoutVerificationOfThePersonItIsRefused) {
  EXPECT_EQ(add(passkey_, {.is_verified = false}).error().code, ErrorCode::forbidden);
  ASSERT_TRUE(add(passkey_));
  EXPECT_EQ(sign_in(passkey_, {.is_verified = false}).error().code, ErrorCode::unauthenticated);
}

TEST_F(PasskeyServiceTest, OfAnotherOriginOrDomainIsRefused) {
  const std::string other = "https://files.example.org.evil.example";
  EXPECT_EQ(add(passkey_, {.origin = other}).error().code, ErrorCode::forbidden);
  EXPECT_EQ(add(passkey_, {.rp_id = "example.org"}).error().code, ErrorCode::forbidden);
  ASSERT_TRUE(add(passkey_));
  EXPECT_EQ(sign_in(passkey_, {.origin = other}).error().code, ErrorCode::unauthenticated);
  EXPECT_EQ(sign_in(passkey_, {.rp_id = "example.org"}).error().code, ErrorCode::unauthenticated);
}

TEST_F(PasskeyServiceTest, RequestsOfOtherKindsAreNoSignIn) {
  ASSERT_TRUE(add(passkey_));
  const auto registration = run(service_.begin_registration(mine_)).value();
  const auto other = Sealer(Sealer::make_key()).seal("passkey 1\n0\n\n99999999999\n00");
  for (const std::string& challenge :
       {registration.challenge, to_base64url(other), to_base64url("guess"), std::string()}) {
    const auto refused = run(service_.sign_in(kDomain, passkey_.shown(challenge), client()));
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::unauthenticated);
  }
  // And a registration belongs to the session that asked for it.
  Principal elsewhere = sign_in(passkey_)->principal;
  const SoftPasskey second;
  EXPECT_FALSE(run(service_.add(elsewhere, kDomain, "Key", second.made(registration.challenge))));
}

TEST_F(PasskeyServiceTest, ACounterThatGoesBackIsNotedAndNotRefused) {
  ASSERT_TRUE(add(passkey_, {.counter = 5}));
  ASSERT_TRUE(sign_in(passkey_, {.counter = 6}));
  EXPECT_EQ(run(service_.list(mine_)).value()[0].counter_fell_at, Timestamp());
  ASSERT_TRUE(sign_in(passkey_, {.counter = 6}));
  const auto fallen = run(service_.list(mine_)).value()[0];
  EXPECT_NE(fallen.counter_fell_at, Timestamp());
  EXPECT_EQ(fallen.counter, 6);
  catalog::AuditFilter filter;
  filter.kind = catalog::AuditKind::passkey_counter_fell;
  EXPECT_EQ(run(catalog_->audit().list(filter)).value().size(), 1U);
}

TEST_F(PasskeyServiceTest, PasskeysOfSeveralDevicesCountNothing) {
  ASSERT_TRUE(add(passkey_));
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(sign_in(passkey_));
  EXPECT_EQ(run(service_.list(mine_)).value()[0].counter_fell_at, Timestamp());
}

TEST_F(PasskeyServiceTest, ARemovedOneOpensNothingAndTheLastTakesTheCodesAlong) {
  ASSERT_TRUE(add(passkey_));
  const SoftPasskey second;
  ASSERT_TRUE(add(second));
  const auto both = run(service_.list(mine_)).value();
  ASSERT_TRUE(run(service_.remove(mine_, both[0].id)));
  EXPECT_EQ(sign_in(passkey_).error().code, ErrorCode::unauthenticated);
  EXPECT_TRUE(sign_in(second));
  EXPECT_EQ(run(second_factors_.show(mine_))->recovery_codes, kRecoveryCodes);
  ASSERT_TRUE(run(service_.remove(mine_, both[1].id)));
  EXPECT_EQ(run(second_factors_.show(mine_))->recovery_codes, 0U);
  EXPECT_TRUE(std::holds_alternative<SignedIn>(by_password()));
}

TEST_F(PasskeyServiceTest, ConfirmsTheSessionsOfItsAccount) {
  ASSERT_TRUE(add(passkey_));
  EXPECT_TRUE(run(service_.confirm(mine_, kDomain, passkey_.shown(challenge()))));
  const SoftPasskey unknown;
  EXPECT_EQ(run(service_.confirm(mine_, kDomain, unknown.shown(challenge()))).error().code,
            ErrorCode::forbidden);
  EXPECT_EQ(
      run(service_.confirm(mine_, kDomain, passkey_.shown(challenge(), {.is_verified = false})))
          .error()
          .code,
      ErrorCode::forbidden);
}

TEST_F(PasskeyServiceTest, AnAccountHasTwentyAtMost) {
  for (std::size_t i = 0; i < catalog::kMostPasskeys; ++i) {
    const SoftPasskey one;
    ASSERT_TRUE(add(one));
  }
  EXPECT_EQ(add(passkey_).error().code, ErrorCode::rate_limited);
}

TEST(PasskeyDomainTest, IsASecureOriginWithAName) {
  EXPECT_EQ(PasskeyDomain::of("https://files.example.org:8443")->rp_id, "files.example.org");
  EXPECT_EQ(PasskeyDomain::of("http://localhost:8080")->origin, "http://localhost:8080");
  for (const char* origin :
       {"http://files.example.org", "https://192.0.2.1", "https://[2001:db8::1]",
        "http://127.0.0.1:8080", "", "https://", "localhost"}) {
    EXPECT_FALSE(PasskeyDomain::of(origin)) << origin;
  }
}

}  // namespace
}  // namespace coffer::core
