#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/enum_words.h"
#include "base/error.h"

struct evp_pkey_st;  // OpenSSL's EVP_PKEY.

namespace coffer::oidc {

/// The algorithms of signatures that are accepted (RFC 7518, section 3.1; RFC 8037, section 3.1).
/// All others are refused: `none`, those with a shared secret, those with weaker curves.
enum class Algorithm : std::uint8_t { rs256, ps256, es256, eddsa };
constexpr auto words_of(Algorithm) {
  using enum Algorithm;
  return enum_words<Algorithm>(
      {{rs256, "RS256"}, {ps256, "PS256"}, {es256, "ES256"}, {eddsa, "EdDSA"}});
}

enum class KeyType : std::uint8_t { rsa, p256, ed25519 };
/// Returns the type of the keys that the algorithm needs.
KeyType type_for(Algorithm algorithm);

/// A public key by which signatures are checked (RFC 7517). Copies share the key.
struct Jwk {
  std::optional<std::string> id = {};       ///< `kid`.
  std::optional<Algorithm> algorithm = {};  ///< `alg`: the only one that the key is for.
  KeyType type = KeyType::rsa;
  std::shared_ptr<evp_pkey_st> key = {};

  bool fits(Algorithm wanted) const;
};

/// The most keys that a set may have.
inline constexpr std::size_t kMostKeys = 100;

/// Reads a set of keys (RFC 7517, section 5). Returns those by which signatures of one of the
/// algorithms can be checked: RSA of 2048 to 8192 bits, P-256, Ed25519. Leaves out others as that
/// section says: keys of other types, for other uses (`use`, `key_ops`) or algorithms, malformed
/// ones. `unavailable` if the text is no set of keys or the set has more than kMostKeys.
Result<std::vector<Jwk>> parse_key_set(std::string_view text);

}  // namespace coffer::oidc
