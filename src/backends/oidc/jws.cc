#include "backends/oidc/jws.h"

#include <openssl/bn.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/rsa.h>

#include <boost/json.hpp>
#include <new>
#include <utility>

#include "backends/oidc/json_members.h"
#include "backends/oidc/openssl_objects.h"
#include "base/encoding.h"

namespace coffer::oidc {
namespace {

constexpr std::size_t kNumberBytes = 32;  ///< Of r and s, in signatures with P-256.

std::unexpected<Error> refuse(std::string message) {
  return fail(ErrorCode::unauthenticated, std::move(message));
}

std::unexpected<Error> malformed() {
  return refuse("The provider's token is malformed.");
}

/// Returns the signature as OpenSSL takes it, from the two numbers side by side (RFC 7518, section
/// 3.4); empty if it is of another length.
std::string to_der(std::string_view raw) {
  if (raw.size() != 2 * kNumberBytes) return {};
  const auto signature = not_null(OpenSslPtr<ECDSA_SIG, ECDSA_SIG_free>(ECDSA_SIG_new()));
  BIGNUM* const r = BN_bin2bn(bytes_of(raw), kNumberBytes, nullptr);
  BIGNUM* const s = BN_bin2bn(bytes_of(raw) + kNumberBytes, kNumberBytes, nullptr);
  if (ECDSA_SIG_set0(signature.get(), r, s) != 1) {
    BN_free(r);
    BN_free(s);
    throw std::bad_alloc();
  }
  const int size = i2d_ECDSA_SIG(signature.get(), nullptr);
  std::string der(static_cast<std::size_t>(size), '\0');
  auto* out = reinterpret_cast<unsigned char*>(der.data());
  i2d_ECDSA_SIG(signature.get(), &out);
  return der;
}

/// RFC 7518, section 3.5.
bool set_pss(EVP_PKEY_CTX* context) {
  return EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PSS_PADDING) == 1 &&
         EVP_PKEY_CTX_set_rsa_mgf1_md(context, EVP_sha256()) == 1 &&
         EVP_PKEY_CTX_set_rsa_pss_saltlen(context, RSA_PSS_SALTLEN_DIGEST) == 1;
}

}  // namespace

Result<Jws> parse_jws(std::string_view compact) {
  if (compact.size() > kLongestToken) return refuse("The provider's token is too long.");
  const auto first = compact.find('.');
  const auto second = first == compact.npos ? first : compact.find('.', first + 1);
  if (second == compact.npos || first > kLongestHead) return malformed();
  const auto head_text = from_base64url(compact.substr(0, first));
  auto content = from_base64url(compact.substr(first + 1, second - first - 1));
  auto signature = from_base64url(compact.substr(second + 1));
  const auto head = head_text ? parse_object(*head_text) : std::nullopt;
  if (!head || !content || !signature) return malformed();
  if (head->contains("crit")) return refuse("The provider's token has an unknown extension.");
  const auto word = text_in(*head, "alg");
  const auto algorithm = word ? enum_from<Algorithm>(*word) : std::nullopt;
  if (!algorithm) return refuse("The provider's token is signed by an algorithm not allowed.");
  if (head->contains("kid") && !text_in(*head, "kid")) return malformed();
  Jws jws;
  jws.algorithm = *algorithm;
  jws.key_id = text_in(*head, "kid");
  jws.type = text_in(*head, "typ");
  jws.signed_text = compact.substr(0, second);
  jws.signature = *std::move(signature);
  jws.content = *std::move(content);
  return jws;
}

bool is_signed_by(const Jws& jws, const Jwk& key) {
  if (!key.fits(jws.algorithm)) return false;
  const bool is_es256 = jws.algorithm == Algorithm::es256;
  const std::string signature = is_es256 ? to_der(jws.signature) : jws.signature;
  if (signature.empty()) return false;
  const auto context = not_null(OpenSslPtr<EVP_MD_CTX, EVP_MD_CTX_free>(EVP_MD_CTX_new()));
  const EVP_MD* const digest = jws.algorithm == Algorithm::eddsa ? nullptr : EVP_sha256();
  EVP_PKEY_CTX* inner = nullptr;  // Belongs to the context.
  const bool is_right =
      EVP_DigestVerifyInit(context.get(), &inner, digest, nullptr, key.key.get()) == 1 &&
      (jws.algorithm != Algorithm::ps256 || set_pss(inner)) &&
      EVP_DigestVerify(context.get(), bytes_of(signature), signature.size(),
                       bytes_of(jws.signed_text), jws.signed_text.size()) == 1;
  if (!is_right) ERR_clear_error();  // Other users of OpenSSL on this thread look at its queue.
  return is_right;
}

Verification verify(const Jws& jws, std::span<const Jwk> keys) {
  auto outcome = Verification::no_such_key;
  for (const Jwk& key : keys) {
    if (!key.fits(jws.algorithm) || (jws.key_id && key.id != jws.key_id)) continue;
    if (is_signed_by(jws, key)) return Verification::verified;
    outcome = Verification::wrong_signature;
  }
  return outcome;
}

}  // namespace coffer::oidc
