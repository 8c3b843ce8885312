#include "webauthn/passkey.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <string_view>

#include "base/text.h"
#include "webauthn/client_data.h"
#include "webauthn/w3c_vectors.h"

namespace coffer::webauthn {
namespace {

constexpr const char* kRpId = "example.org";

std::string unhex(std::string_view digits) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < digits.size(); i += 2) {
    bytes += static_cast<char>(std::stoi(std::string(digits.substr(i, 2)), nullptr, 16));
  }
  return bytes;
}

/// Those of the W3C whose keys are of an algorithm that is asked for, and that libfido2 takes: it
/// knows RSA of 2048 bits alone, and the vector's key has 3482.
bool is_taken(std::string_view name) {
  static const std::set<std::string_view> kOthers = {"packed-es384", "packed-es512", "packed-rs256",
                                                     "packed-ed448"};
  return !kOthers.contains(name);
}

Assertion assertion_of(const W3cVector& vector) {
  return {unhex(vector.client_data), unhex(vector.authenticator_data), unhex(vector.signature)};
}

Result<AuthenticatorState> check(const NewPasskey& passkey, const Assertion& assertion) {
  return check_assertion(kRpId, passkey.algorithm, passkey.public_key, assertion);
}

/// Calls `use` with the text once for each of its bytes, of which the lowest bit is changed.
template <class Use>
void with_each_byte_changed(const std::string& text, Use use) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::string changed = text;
    changed[i] = static_cast<char>(changed[i] ^ 1);
    use(std::move(changed), i);
  }
}

class W3cVectorTest : public testing::TestWithParam<W3cVector> {};

TEST_P(W3cVectorTest, ClientDataAreWhatTheBrowserWasAskedWith) {
  const W3cVector& vector = GetParam();
  const auto made = read_client_data(unhex(vector.registration_client_data));
  ASSERT_TRUE(made);
  EXPECT_EQ(made->type, "webauthn.create");
  EXPECT_EQ(made->challenge, unhex(vector.registration_challenge));
  const auto shown = read_client_data(unhex(vector.client_data));
  ASSERT_TRUE(shown);
  EXPECT_EQ(shown->challenge, unhex(vector.challenge));
  const bool is_in_frame = std::string_view(vector.name).contains("Origin");
  EXPECT_EQ(shown->is_cross_origin, is_in_frame);
  EXPECT_EQ(check_client_data(*shown, "webauthn.get", "https://example.org").has_value(),
            !is_in_frame);
}

TEST_P(W3cVectorTest, IsVerifiedAndNothingThatDiffersByABit) {
  const W3cVector& vector = GetParam();
  const auto passkey = read_registration(kRpId, unhex(vector.registration_data));
  ASSERT_EQ(passkey.has_value(), is_taken(vector.name));
  if (!passkey) return;
  const Assertion right = assertion_of(vector);
  const auto state = check(*passkey, right);
  ASSERT_TRUE(state);
  EXPECT_EQ(state->is_user_verified, (right.authenticator_data[32] & 0x04) != 0);
  EXPECT_EQ(state->is_backed_up, (right.authenticator_data[32] & 0x10) != 0);
  with_each_byte_changed(right.signature, [&](std::string signature, std::size_t at) {
    EXPECT_FALSE(check(*passkey, {right.client_data, right.authenticator_data, signature})) << at;
  });
  with_each_byte_changed(right.authenticator_data, [&](std::string data, std::size_t at) {
    EXPECT_FALSE(check(*passkey, {right.client_data, data, right.signature})) << at;
  });
  with_each_byte_changed(right.client_data, [&](std::string data, std::size_t at) {
    EXPECT_FALSE(check(*passkey, {data, right.authenticator_data, right.signature})) << at;
  });
  with_each_byte_changed(passkey->public_key, [&](std::string key, std::size_t at) {
    EXPECT_FALSE(check_assertion(kRpId, passkey->algorithm, key, right)) << at;
  });
}

TEST_P(W3cVectorTest, CountsForItsDomainAlone) {
  const W3cVector& vector = GetParam();
  const std::string data = unhex(vector.registration_data);
  for (const char* other : {"", "example.com", "www.example.org", "org"}) {
    EXPECT_FALSE(read_registration(other, data)) << other;
  }
  const auto passkey = read_registration(kRpId, data);
  if (!passkey) return;
  EXPECT_FALSE(check_assertion("example.com", passkey->algorithm, passkey->public_key,
                               assertion_of(vector)));
}

TEST_P(W3cVectorTest, RegistrationThatIsCutIsRefused) {
  const std::string data = unhex(GetParam().registration_data);
  for (std::size_t length = 0; length < data.size(); ++length) {
    EXPECT_FALSE(read_registration(kRpId, data.substr(0, length))) << length;
  }
  // Without the mark that somebody touched it.
  std::string untouched = data;
  untouched[32] = static_cast<char>(untouched[32] & ~1);
  EXPECT_FALSE(read_registration(kRpId, untouched));
}

INSTANTIATE_TEST_SUITE_P(Level3, W3cVectorTest, testing::ValuesIn(kW3cVectors),
                         [](const auto& info) {
                           std::string name = info.param.name;
                           std::erase(name, '-');
                           return name;
                         });

TEST(PasskeyTest, AnotherAlgorithmOrKeyVerifiesNothing) {
  const W3cVector& vector = kW3cVectors[0];
  const auto passkey = read_registration(kRpId, unhex(vector.registration_data)).value();
  const Assertion right = assertion_of(vector);
  EXPECT_EQ(passkey.algorithm, Algorithm::es256);
  EXPECT_EQ(passkey.aaguid, unhex("8446ccb9ab1db374750b2367ff6f3a1f"));
  for (const Algorithm other : {Algorithm::eddsa, Algorithm::rs256}) {
    EXPECT_FALSE(check_assertion(kRpId, other, passkey.public_key, right));
  }
  const auto second = read_registration(kRpId, unhex(kW3cVectors[1].registration_data)).value();
  EXPECT_FALSE(check(second, right));
  EXPECT_FALSE(check_assertion(kRpId, Algorithm::es256, "", right));
  EXPECT_FALSE(check(passkey, {}));
}

TEST(PasskeyTest, RsaOf2048BitsIsVerified) {
  const auto passkey = read_registration(kRpId, unhex(kRsaPasskey.registration_data));
  ASSERT_TRUE(passkey);
  EXPECT_EQ(passkey->algorithm, Algorithm::rs256);
  Assertion shown = assertion_of(kRsaPasskey);
  const auto state = check(*passkey, shown);
  ASSERT_TRUE(state);
  EXPECT_EQ(state->counter, 7U);
  shown.signature[100] = static_cast<char>(shown.signature[100] ^ 1);
  EXPECT_FALSE(check(*passkey, shown));
}

}  // namespace
}  // namespace coffer::webauthn
