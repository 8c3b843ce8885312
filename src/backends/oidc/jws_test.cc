#include "backends/oidc/jws.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/encoding.h"

namespace coffer::oidc {
namespace {

/// A key and a token that it signed.
struct Vector {
  const char* source;
  std::string key;
  std::string token;
};

// The key of RFC 7515, appendix A.2.
const std::string kRfcRsa =
    R"({"kty":"RSA","e":"AQAB","n":")"
    "ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4d4"
    "QlL-yRT-SFd2lZS-pCgNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5rexMdb"
    "BYUsLA9e-KXBdQOS-UTo7WTBEMa2R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-D"
    R"(WNmoudF8NAco9_h9iaGNj8q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyuXpoQ"})";

// Keys that jwcrypto made, and tokens that it signed.
const std::string kRsa =
    R"({"kty":"RSA","e":"AQAB","n":")"
    "oTnMv03EhY26N8soP_Z_thlFAwGgWjvJCw1GIgOdwOLTnYQcQwcpOcL_jnNEPqGW7QWG_bWuT1dw5HcOZYiy52wSs_9tSw"
    "oZxCn9i9KVCkBJf7Px3g8nj9sDrA18kHims05VJX7QwLhfx_WUafwQkdM3RbbZ-Yvps4DJv74jloRcLfRj3L4pd28d5Gfk"
    "gx1LFtlKFlhJhnj2IoLkwDt-wAgnVZBI_h90mUT070PcEzS-RbyAIsOExlwbsQvW-p6LvFJI5Km_1np7EUF319O_tGzfBn"
    R"(91U1-auiWQRDDA6BD2mxHGCQ_B8cVdzwQDcwDhs690kfoIScZYFKkH92PiuQ")";
const std::string kP256 =
    R"({"kty":"EC","crv":"P-256","x":"QR-ORnBaSamK5dzuBbgSoMjNr53ChV2-nzL7Ox_wSNE",)"
    R"("y":"YHslxL-3WaC9x4qRJmTzgNNt9Fz4-cBVGyw8mu3Ge48")";
const std::string kEd25519 =
    R"({"kty":"OKP","crv":"Ed25519","x":"LdcCqq1TF9j6KAYM2TssfzxYEXONTdL7nqnm9xVVx2A")";
const std::string kRsToken =
    "eyJhbGciOiJSUzI1NiIsImtpZCI6ImsifQ.eyJzdWIiOiJhbm4ifQ."
    "ZmY-H81yUt3rUB0dtNWuja_RvTAEn8eBROo4LIRrety4SgmOVSlV0KhvA3HYBFazlx8WApCDniWoPdy_NF2recTwbSPEVV"
    "paYP1SlWeh0PG0YV4igfydnCXtjqB80ZymoXJVvgEUe_-1jVbOOVlSO_efTxPI51aKbThJtKxUqOTqPRxcZ8fME4Hf9et0"
    "1qAJ8SeMVbW782RsX85cd0NIuL1zHmPTU0YnFuIkFhzkxDApbXwjjYp1p5xFxzvvoGoG49ozET2GF_pVEbZzroA0mqrYtp"
    "SyOpf1VqvyvtJzdfC28uWt-Jz1mQjM1SpxB5x_bI8ADv6vT-6SMB99rcgY8g";
const std::string kPsToken =
    "eyJhbGciOiJQUzI1NiIsImtpZCI6ImsifQ.eyJzdWIiOiJhbm4ifQ."
    "hQJ43YgPbmSt9w1nNGw46Ws6zXHIHfoHlouCwOEAZVoUEC916npGJRI630bZ2FIokVaYvacCPv4OYCN5WhZdsvZfw6aUJY"
    "dWNdO-z0NjY78xCx5yMVBZRovQnCDoWbFPQZdqO2ItPI7-2TAIYDveSRl3nSzq9BpokjHYD3zhvTZ5dIZUDU9gKGzlcxK7"
    "rL4VNIk0dXMNfAW447plD5uKKqIv86HrP41XfK5ZULF1fr4xV4VX-"
    "CA3AxrL8lp7VHyHLjPaesLt0G2Coir3uckEvS0FqfR"
    "7mUoJEEl7fhZF0wrz3EFhO_feL1hPOua-OUHUNntAVkOLcUisX6yejKkX1Q";
const std::string kEsToken =
    "eyJhbGciOiJFUzI1NiIsImtpZCI6ImsifQ.eyJzdWIiOiJhbm4ifQ."
    "hNlJOY9OkRn00XwnytIdeWiNce9zxVSmpNtTE-Lq1f5asTZApSnDZ1lAH6L1mvKQ5JUuuI_c9yJhM6yBoQy7vA";
const std::string kEdContent = "eyJhbGciOiJFZERTQSIsImtpZCI6ImsifQ.eyJzdWIiOiJhbm4ifQ.";
const std::string kEdToken =
    kEdContent +
    "puD84B7eTPaAZ-H6-KeVGO4wD-A_bWFNPF8jiBOoks1t1kmFTydwvk2PsWUTWPqvFN51KAjyK6uU2CSj_siFCA";

std::vector<Vector> vectors() {
  return {
      {"RFC 7515, appendix A.2", kRfcRsa,
       "eyJhbGciOiJSUzI1NiJ9."
       "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnV"
       "l"
       "fQ."
       "cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_"
       "O8W2Fp5"
       "jujGbds9uJdbF9CUAr7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_"
       "nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb"
       "1L07Qe7K0GarZRmB_eSN9383LcOLn6_dO--xi12jzDwusC-"
       "eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QO"
       "YEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0igcN_IoypGlUPQGe77Rw"},
      {"RFC 7515, appendix A.3",
       R"({"kty":"EC","crv":"P-256","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",)"
       R"("y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"})",
       "eyJhbGciOiJFUzI1NiJ9."
       "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnV"
       "l"
       "fQ.DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q"},
      {"RFC 8037, appendix A.4",
       R"({"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"})",
       "eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc."
       "hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg"},
      {"RS256", kRsa + "}", kRsToken},
      {"PS256", kRsa + "}", kPsToken},
      {"ES256", kP256 + "}", kEsToken},
      {"EdDSA", kEd25519 + "}", kEdToken}};
}

std::vector<Jwk> keys_of(const std::string& keys) {
  const auto parsed = parse_key_set(fmt::format(R"({{"keys":[{}]}})", keys));
  EXPECT_TRUE(parsed) << keys;
  return parsed.value_or(std::vector<Jwk>{});
}

Verification outcome_of(const std::string& token, const std::string& keys) {
  const auto jws = parse_jws(token);
  EXPECT_TRUE(jws) << token;
  return jws ? verify(*jws, keys_of(keys)) : Verification::no_such_key;
}

bool is_true(const std::string& token, const std::string& key) {
  const auto jws = parse_jws(token);
  const auto keys = keys_of(key);
  return jws && keys.size() == 1 && is_signed_by(*jws, keys[0]);
}

/// The token with one bit of one of its three parts changed.
std::string changed(const std::string& token, std::size_t part, std::size_t bit) {
  std::vector<std::string> parts(3);
  std::size_t at = 0;
  for (const char c : token) c == '.' ? void(++at) : parts[at].push_back(c);
  std::string bytes = from_base64url(parts[part]).value();
  bytes[bit / 8] = static_cast<char>(static_cast<unsigned char>(bytes[bit / 8]) ^ (1U << bit % 8));
  parts[part] = to_base64url(bytes);
  return parts[0] + "." + parts[1] + "." + parts[2];
}

std::size_t bits_of(const std::string& token, std::size_t part) {
  std::size_t begin = 0;
  for (std::size_t dots = 0; dots < part; ++dots) begin = token.find('.', begin) + 1;
  return from_base64url(token.substr(begin, token.find('.', begin) - begin)).value().size() * 8;
}

TEST(Jws, EveryVectorIsTrue) {
  for (const Vector& each : vectors()) EXPECT_TRUE(is_true(each.token, each.key)) << each.source;
}

TEST(Jws, EveryVectorWithOneBitChangedIsNot) {
  for (const Vector& each : vectors()) {
    const Jwk key = keys_of(each.key).at(0);
    for (const std::size_t part : {0U, 1U, 2U}) {
      for (std::size_t bit = 0; bit < bits_of(each.token, part); ++bit) {
        const auto jws = parse_jws(changed(each.token, part, bit));
        EXPECT_FALSE(jws && is_signed_by(*jws, key))
            << each.source << ", part " << part << ", bit " << bit;
      }
    }
  }
}

TEST(Jws, NoVectorIsTrueByTheKeyOfAnother) {
  for (const Vector& each : vectors()) {
    for (const Vector& other : vectors()) {
      if (other.key == each.key) continue;
      EXPECT_FALSE(is_true(each.token, other.key)) << each.source;
    }
  }
}

TEST(Jws, TellsWhatItSays) {
  const auto jws = parse_jws(kEsToken);
  ASSERT_TRUE(jws);
  EXPECT_EQ(jws->algorithm, Algorithm::es256);
  EXPECT_EQ(jws->key_id, "k");
  EXPECT_EQ(jws->type, std::nullopt);
  EXPECT_EQ(jws->content, R"({"sub":"ann"})");
}

TEST(Jws, ReadsNoTokenThatIsNone) {
  const std::string head = to_base64url(R"({"alg":"ES256"})");
  const std::vector<std::string> malformed = {
      "",
      "...",
      head,
      head + ".e30",
      head + ".e30.AA.AA",
      head + ".e30.AA.AA.AA",
      head + ".e30.AA==",
      head + ".e3 0.AA",
      head + ".e30.+/",
      head + ".e30.AB",  // A bit too many.
      "." + head + ".AA",
      to_base64url("[]") + ".e30.AA",
      to_base64url("{") + ".e30.AA",
      to_base64url(R"({"alg":"ES256","kid":7})") + ".e30.AA",
      to_base64url(R"({"alg":"ES256"}x)") + ".e30.AA",
      to_base64url(std::string(7000, '[')) + ".e30.AA",
      to_base64url(R"({"alg":"ES256","x":")" + std::string(8000, 'x') + "\"}") + ".e30.AA",
      head + "." + std::string(300'000, 'A') + ".AA"};
  for (const std::string& token : malformed) {
    const auto jws = parse_jws(token);
    ASSERT_FALSE(jws) << token.substr(0, 100);
    EXPECT_EQ(jws.error().code, ErrorCode::unauthenticated);
  }
}

TEST(Jws, TakesNoOtherAlgorithm) {
  for (const char* word : {"none", "None", "NONE", "", "HS256", "RS384", "RS512", "PS384", "ES384",
                           "ES512", "ES256K", "rs256", "es256", "Ed25519", "RS256 ", "RSA-OAEP"}) {
    const auto head = to_base64url(fmt::format(R"({{"alg":"{}"}})", word));
    EXPECT_FALSE(parse_jws(head + ".e30.")) << word;
    EXPECT_FALSE(parse_jws(head + ".e30.AA")) << word;
  }
  for (const char* head : {"{}", R"({"alg":null})", R"({"alg":["RS256"]})"}) {
    EXPECT_FALSE(parse_jws(to_base64url(head) + ".e30.AA")) << head;
  }
  // HMAC with the public key of RFC 7515's kind as the secret.
  EXPECT_FALSE(
      parse_jws("eyJhbGciOiJIUzI1NiIsImtpZCI6ImsifQ.eyJzdWIiOiJhbm4ifQ."
                "zHLafGf54M9ic61sW6gLZrfF_4tLhCenWhIppAM9nPQ"));
}

/// The signatures are right.
TEST(Jws, TakesNoExtensionThatItMustUnderstand) {
  EXPECT_FALSE(parse_jws(
      "eyJhbGciOiJFUzI1NiIsImNyaXQiOlsiZXhwIl0sImV4cCI6MX0.e30."
      "a1CqPyxjtf5mGZlAdBp0SyyPx1xkeySIq3yaNqX43L77ws4NH2KvoIk96FQGD8UQWrkoea5e5Cx2mD34LCuwYQ"));
  EXPECT_FALSE(parse_jws(to_base64url(R"({"alg":"ES256","crit":[]})") + ".e30.AA"));
}

TEST(Jws, TakesNoSignatureInAnotherForm) {
  const std::string es = "eyJhbGciOiJFUzI1NiJ9.e30.";
  const std::string key = kP256 + "}";
  // ASN.1, in which OpenSSL itself has it.
  EXPECT_FALSE(is_true(
      es + "MEQCIF4rQU8aXlQeuIHWSb87L9mJSB5iM-cyxnBgJbt7UYMoAiBcm9mEPBD_-VYpgXRdTPZEsFyHaHT-LP_"
           "YkjmwMVvXrw",
      key));
  for (const char* numbers :
       {"",  // No signature at all.
        "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
        "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
        // The order of the group, and one.
        "_____wAAAAD__________7zm-q2nF56E87nKwvxjJVEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAQ"}) {
    EXPECT_FALSE(is_true(es + numbers, key)) << numbers;
  }
  const std::string raw = from_base64url(kEsToken.substr(kEsToken.rfind('.') + 1)).value();
  const std::string text = kEsToken.substr(0, kEsToken.rfind('.') + 1);
  ASSERT_TRUE(is_true(text + to_base64url(raw), key));
  EXPECT_FALSE(is_true(text + to_base64url(raw.substr(0, 63)), key));
  EXPECT_FALSE(is_true(text + to_base64url(raw + '\0'), key));
  EXPECT_FALSE(is_true(text + to_base64url('\0' + raw), key));
  // Ed25519, with the order of the group added to the second number.
  EXPECT_FALSE(is_true(
      kEdContent +
          "puD84B7eTPaAZ-H6-KeVGO4wD-A_bWFNPF8jiBOoks1aqj_iaYqCFiQsqQjyUdnEFN51KAjyK6uU2CSj_siFGA",
      kEd25519 + "}"));
}

TEST(Jws, TakesNoRsaSignatureOfAnotherKind) {
  const std::string key = kRsa + "}";
  const auto with_head = [](const std::string& token, const std::string& head) {
    return to_base64url(head) + token.substr(token.find('.'));
  };
  EXPECT_FALSE(is_true(with_head(kRsToken, R"({"alg":"PS256","kid":"k"})"), key));
  EXPECT_FALSE(is_true(with_head(kPsToken, R"({"alg":"RS256","kid":"k"})"), key));
  // Of SHA-1, and PSS without salt.
  EXPECT_FALSE(
      is_true("eyJhbGciOiJSUzI1NiJ9.e30."
              "PonBlvXJE7dL8TLbCKqoVQLfTGrnwXUZd5Ek5nj3NCvYHigOaBlOFNKPoOILKiR__"
              "24jYize2leg03YC09X5izprPXKZf7"
              "XN0OHvJidXYj_gkCftUlEDntSVPuH1B9hOyAVqwQ2RWSPgU7zUVa0qpb0z-"
              "UMSnn9eUrcgV5CY8xHRnjeK5tgnHqiBoUND"
              "F9uOEzFwMNNvWF_"
              "WPpTPY0BmXZlqAS0SN1PvAZFbex5VYN64CLqNSfOWyiudCTC5JdCY1sR3V35G5GZLqWGSFKfaJJgYcH"
              "sAchHKGU8CGbhevjZjpUs8FW9s05INW3Mly9E8kDrDPyzkMlaqwlY93muSNA",
              key));
  EXPECT_FALSE(
      is_true("eyJhbGciOiJQUzI1NiJ9.e30."
              "a8RqLx1XMoDYoGGWax8r3jtO9rW4_pAntSGjXai4k__"
              "q5lfpNOJe6yXd8a40wRXUjxzyaLtvVXF9tagSvui0yUoC9Z_5ZY"
              "H7N9mzAEPGz5yLKe8UgMziVAfRBgjVu3d5iTH5kfJfe0pCOajgs1UExw2MQ-rUfkkmNFo4-"
              "Cj5bQlBJmUoBZ8JKz_in05d"
              "cv4ZNrec2da8kHOw9GTLl6IfPy8EQmsbQ469OMb_3x63y6qdlcQXOy7De_"
              "z3LpciSlTMtEylsMro4E091WzE9r003pJuit"
              "-5WC3MXFoSMdalNWg8FLSZhNc5fjQ0mpDfXV5Fv0lqznRon5IFhVhTM7Th-g",
              key));
}

TEST(Jws, FindsItsKey) {
  using enum Verification;
  const std::string named = kRsa + R"(,"kid":"k"})";
  const std::string other = kRsa + R"(,"kid":"other"})";
  EXPECT_EQ(outcome_of(kRsToken, kP256 + R"(,"kid":"k"},)" + named), Verification::verified);
  EXPECT_EQ(outcome_of(kRsToken, named), Verification::verified);
  EXPECT_EQ(outcome_of(kRsToken, other), no_such_key);
  EXPECT_EQ(outcome_of(kRsToken, kRsa + "}"), no_such_key);  // It has no name.
  EXPECT_EQ(outcome_of(kRsToken, kP256 + R"(,"kid":"k"})"), no_such_key);
  EXPECT_EQ(outcome_of(kRsToken, kRfcRsa.substr(0, kRfcRsa.size() - 1) + R"(,"kid":"k"})"),
            wrong_signature);
  EXPECT_EQ(outcome_of(kRsToken, kRsa + R"(,"kid":"k","alg":"PS256"})"), no_such_key);
  EXPECT_EQ(outcome_of(kRsToken, kRsa + R"(,"kid":"k","alg":"RS256"})"), Verification::verified);
  // A token that names no key, and keys of the provider's before and after a change.
  const Vector unnamed = vectors()[0];
  EXPECT_EQ(outcome_of(unnamed.token, named + "," + unnamed.key), Verification::verified);
  EXPECT_EQ(outcome_of(unnamed.token, named), wrong_signature);
  EXPECT_EQ(outcome_of(unnamed.token, kP256 + "}"), no_such_key);
}

}  // namespace
}  // namespace coffer::oidc
