#include "backends/oidc/jwk.h"

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>

#include <algorithm>
#include <boost/json.hpp>
#include <utility>

#include "backends/oidc/json_members.h"
#include "backends/oidc/openssl_objects.h"
#include "base/encoding.h"

namespace coffer::oidc {
namespace {

namespace json = boost::json;

constexpr int kLeastRsaBits = 2048;
constexpr int kMostRsaBits = 8192;
constexpr int kMostExponentBits = 64;
constexpr std::size_t kCoordinateBytes = 32;  ///< Of P-256 and Ed25519.

using Number = OpenSslPtr<BIGNUM, BN_free>;
using Builder = OpenSslPtr<OSSL_PARAM_BLD, OSSL_PARAM_BLD_free>;
using Params = OpenSslPtr<OSSL_PARAM, OSSL_PARAM_free>;
using Context = OpenSslPtr<EVP_PKEY_CTX, EVP_PKEY_CTX_free>;
using Key = std::shared_ptr<EVP_PKEY>;

/// Returns the decoded bytes of a member; nullopt if it is missing, malformed or empty.
std::optional<std::string> bytes_in(const json::object& object, std::string_view name) {
  const auto text = text_in(object, name);
  auto bytes = text ? from_base64url(*text) : std::nullopt;
  if (bytes && bytes->empty()) bytes.reset();
  return bytes;
}

std::optional<Number> number_in(const json::object& object, std::string_view name) {
  const auto bytes = bytes_in(object, name);
  if (!bytes || bytes->size() > kMostRsaBits / 8 + 1) return std::nullopt;
  return not_null(Number(BN_bin2bn(bytes_of(*bytes), static_cast<int>(bytes->size()), nullptr)));
}

/// Returns a public key of these parameters; null if they are none. A point must be on its curve.
/// EVP_PKEY_public_check() is not called: of an RSA key, it tests whether the modulus is a prime,
/// which takes long for a large one (CVE-2023-6237).
Key key_of(const char* type, OSSL_PARAM_BLD* builder) {
  const Params params = not_null(Params(OSSL_PARAM_BLD_to_param(builder)));
  const Context making = not_null(Context(EVP_PKEY_CTX_new_from_name(nullptr, type, nullptr)));
  EVP_PKEY* made = nullptr;
  if (EVP_PKEY_fromdata_init(making.get()) != 1 ||
      EVP_PKEY_fromdata(making.get(), &made, EVP_PKEY_PUBLIC_KEY, params.get()) != 1) {
    return nullptr;
  }
  return Key(made, OpenSslFree<EVP_PKEY_free>());
}

/// RFC 7518, section 6.3.1.
Key rsa_key(const json::object& object) {
  const auto modulus = number_in(object, "n");
  const auto exponent = number_in(object, "e");
  if (!modulus || !exponent) return nullptr;
  const int bits = BN_num_bits(modulus->get());
  if (bits < kLeastRsaBits || bits > kMostRsaBits || BN_is_odd(modulus->get()) != 1) return nullptr;
  // A large exponent makes each check slow.
  if (BN_num_bits(exponent->get()) > kMostExponentBits || BN_is_one(exponent->get()) == 1 ||
      BN_is_odd(exponent->get()) != 1) {
    return nullptr;
  }
  const Builder builder = not_null(Builder(OSSL_PARAM_BLD_new()));
  if (OSSL_PARAM_BLD_push_BN(builder.get(), OSSL_PKEY_PARAM_RSA_N, modulus->get()) != 1 ||
      OSSL_PARAM_BLD_push_BN(builder.get(), OSSL_PKEY_PARAM_RSA_E, exponent->get()) != 1) {
    throw std::bad_alloc();
  }
  return key_of("RSA", builder.get());
}

/// RFC 7518, section 6.2.1.
Key p256_key(const json::object& object) {
  const auto x = bytes_in(object, "x");
  const auto y = bytes_in(object, "y");
  if (!x || !y || x->size() != kCoordinateBytes || y->size() != kCoordinateBytes) return nullptr;
  const std::string point = '\x04' + *x + *y;
  const Builder builder = not_null(Builder(OSSL_PARAM_BLD_new()));
  if (OSSL_PARAM_BLD_push_utf8_string(builder.get(), OSSL_PKEY_PARAM_GROUP_NAME, "prime256v1", 0) !=
          1 ||
      OSSL_PARAM_BLD_push_octet_string(builder.get(), OSSL_PKEY_PARAM_PUB_KEY, point.data(),
                                       point.size()) != 1) {
    throw std::bad_alloc();
  }
  return key_of("EC", builder.get());
}

/// RFC 8037, section 2.
Key ed25519_key(const json::object& object) {
  const auto x = bytes_in(object, "x");
  if (!x || x->size() != kCoordinateBytes) return nullptr;
  EVP_PKEY* const key =
      EVP_PKEY_new_raw_public_key_ex(nullptr, "ED25519", nullptr, bytes_of(*x), x->size());
  return key == nullptr ? nullptr : Key(key, OpenSslFree<EVP_PKEY_free>());
}

/// Returns the key without its names; its `key` is null if it is no supported one.
Jwk material_of(const json::object& object) {
  Jwk jwk;
  const auto type = text_in(object, "kty");
  const auto curve = text_in(object, "crv");
  if (type == "RSA") {
    jwk.key = rsa_key(object);
  } else if (type == "EC" && curve == "P-256") {
    jwk.type = KeyType::p256;
    jwk.key = p256_key(object);
  } else if (type == "OKP" && curve == "Ed25519") {
    jwk.type = KeyType::ed25519;
    jwk.key = ed25519_key(object);
  }
  return jwk;
}

/// RFC 7517, sections 4.2 and 4.3.
bool is_for_signatures(const json::object& object) {
  if (object.contains("use") && text_in(object, "use") != "sig") return false;
  const json::value* const operations = object.if_contains("key_ops");
  if (operations == nullptr) return true;
  const json::value verify("verify");
  return operations->is_array() && std::ranges::count(operations->get_array(), verify) > 0;
}

std::optional<Jwk> parse_key(const json::value& value) {
  if (!value.is_object()) return std::nullopt;
  const json::object& object = value.get_object();
  if (!is_for_signatures(object)) return std::nullopt;
  std::optional<Algorithm> algorithm;
  if (object.contains("alg")) {
    const auto word = text_in(object, "alg");
    algorithm = word ? enum_from<Algorithm>(*word) : std::nullopt;
    if (!algorithm) return std::nullopt;
  }
  if (object.contains("kid") && !text_in(object, "kid")) return std::nullopt;
  Jwk jwk = material_of(object);
  jwk.id = text_in(object, "kid");
  jwk.algorithm = algorithm;
  if (!jwk.key) ERR_clear_error();  // Other users of OpenSSL on this thread look at its queue.
  if (!jwk.key || (algorithm && type_for(*algorithm) != jwk.type)) return std::nullopt;
  return jwk;
}

}  // namespace

KeyType type_for(Algorithm algorithm) {
  switch (algorithm) {
    case Algorithm::rs256:
    case Algorithm::ps256:
      return KeyType::rsa;
    case Algorithm::es256:
      return KeyType::p256;
    case Algorithm::eddsa:
      break;
  }
  return KeyType::ed25519;
}

bool Jwk::fits(Algorithm wanted) const {
  return type == type_for(wanted) && algorithm.value_or(wanted) == wanted;
}

Result<std::vector<Jwk>> parse_key_set(std::string_view text) {
  const auto set = parse_object(text);
  const json::value* const listed = set ? set->if_contains("keys") : nullptr;
  if (listed == nullptr || !listed->is_array()) {
    return fail(ErrorCode::unavailable, "The provider's keys are no set of keys.");
  }
  if (listed->get_array().size() > kMostKeys) {
    return fail(ErrorCode::unavailable, "The provider has too many keys.");
  }
  std::vector<Jwk> keys;
  for (const json::value& value : listed->get_array()) {
    if (auto key = parse_key(value)) keys.push_back(*std::move(key));
  }
  return keys;
}

}  // namespace coffer::oidc
