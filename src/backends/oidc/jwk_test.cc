#include "backends/oidc/jwk.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/encoding.h"

namespace coffer::oidc {
namespace {

const std::string kP256 =
    R"("kty":"EC","crv":"P-256","x":"QR-ORnBaSamK5dzuBbgSoMjNr53ChV2-nzL7Ox_wSNE",)"
    R"("y":"YHslxL-3WaC9x4qRJmTzgNNt9Fz4-cBVGyw8mu3Ge48")";

std::size_t count_of(const std::string& members) {
  const auto keys = parse_key_set(fmt::format(R"({{"keys":[{{{}}}]}})", members));
  EXPECT_TRUE(keys);
  return keys ? keys->size() : 99;
}

std::string rsa(std::size_t bits, const std::string& exponent, char last = '\x01') {
  std::string modulus(bits / 8, '\xc5');
  modulus.back() = last;
  return fmt::format(R"("kty":"RSA","n":"{}","e":"{}")", to_base64url(modulus), exponent);
}

TEST(KeySet, HasKeysOfTheThreeTypes) {
  const auto keys = parse_key_set(fmt::format(
      R"({{"keys":[{{{},"kid":"a","alg":"PS256","use":"sig"}},{{{},"kid":"b","key_ops":["verify"]}},)"
      R"({{"kty":"OKP","crv":"Ed25519","x":"LdcCqq1TF9j6KAYM2TssfzxYEXONTdL7nqnm9xVVx2A"}}]}})",
      rsa(2048, "AQAB"), kP256));
  ASSERT_TRUE(keys);
  ASSERT_EQ(keys->size(), 3U);
  EXPECT_EQ(keys->at(0).id, "a");
  EXPECT_TRUE(keys->at(0).fits(Algorithm::ps256));
  EXPECT_FALSE(keys->at(0).fits(Algorithm::rs256));
  EXPECT_TRUE(keys->at(1).fits(Algorithm::es256));
  EXPECT_FALSE(keys->at(1).fits(Algorithm::eddsa));
  EXPECT_EQ(keys->at(2).id, std::nullopt);
  EXPECT_TRUE(keys->at(2).fits(Algorithm::eddsa));
}

TEST(KeySet, LeavesOutKeysForOtherUses) {
  ASSERT_EQ(count_of(kP256), 1U);
  for (const char* more : {R"("use":"enc")", R"("use":7)", R"("key_ops":["sign"])",
                           R"("key_ops":[])", R"("key_ops":"verify")", R"("alg":"ECDH-ES")",
                           R"("alg":"ES384")", R"("alg":"RS256")", R"("alg":null)", R"("kid":7)"}) {
    EXPECT_EQ(count_of(kP256 + "," + more), 0U) << more;
  }
}

TEST(KeySet, LeavesOutKeysThatAreWeakOrSlowOrNone) {
  EXPECT_EQ(count_of(rsa(2048, "AQAB")), 1U);
  EXPECT_EQ(count_of(rsa(8192, "Aw")), 1U);
  EXPECT_EQ(count_of(rsa(1024, "AQAB")), 0U);
  EXPECT_EQ(count_of(rsa(8200, "AQAB")), 0U);
  EXPECT_EQ(count_of(rsa(100'000, "AQAB")), 0U);
  EXPECT_EQ(count_of(rsa(2048, "AQAB", '\x02')), 0U);  // Even.
  for (const char* exponent : {"", "AA", "AQ", "Ag", "AQAA", "AQAB=", "AQAAAAAAAAAAAQ"}) {
    EXPECT_EQ(count_of(rsa(2048, exponent)), 0U) << exponent;
  }
  const std::string x = "QR-ORnBaSamK5dzuBbgSoMjNr53ChV2-nzL7Ox_wSNE";
  for (const std::string& key :
       {std::string(R"("kty":"EC","crv":"P-256")"),
        R"("kty":"EC","crv":"P-256","x":")" + x + R"(","y":")" + x + "\"",  // Not on the curve.
        R"("kty":"EC","crv":"P-384","x":")" + x + R"(","y":")" + x + "\"",
        R"("kty":"EC","crv":"P-256","x":")" + x + "\"",
        std::string(R"("kty":"EC","crv":"P-256","x":"AA","y":"AA")"),
        R"("kty":"OKP","crv":"X25519","x":")" + x + "\"",
        std::string(R"("kty":"OKP","crv":"Ed25519","x":"LdcCqq1TF9j6KAYM2TssfzxYEXONTdL7nqnm9w")"),
        std::string(R"("kty":"OKP","crv":"Ed25519","x":7)"), R"("kty":"oct","k":")" + x + "\"",
        std::string(R"("kty":"RSA")"), std::string()}) {
    EXPECT_EQ(count_of(key), 0U) << key;
  }
}

TEST(KeySet, IsOneOrAnError) {
  EXPECT_TRUE(parse_key_set(R"({"keys":[]})"));
  EXPECT_TRUE(parse_key_set(R"({"keys":[7,null,"x",[]],"more":1})").value().empty());
  for (const char* text : {"", "[]", "{}", "null", R"({"keys":{}})", R"({"keys":[})", "<html>"}) {
    const auto keys = parse_key_set(text);
    ASSERT_FALSE(keys) << text;
    EXPECT_EQ(keys.error().code, ErrorCode::unavailable);
  }
  std::string many = "7";
  for (int count = 0; count < 100; ++count) many += ",7";
  EXPECT_FALSE(parse_key_set(fmt::format(R"({{"keys":[{}]}})", many)));
}

}  // namespace
}  // namespace coffer::oidc
