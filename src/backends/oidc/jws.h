#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "backends/oidc/jwk.h"
#include "base/error.h"

namespace coffer::oidc {

/// The longest tokens and heads of tokens that are read, in bytes.
inline constexpr std::size_t kLongestToken = 256UL * 1024;
inline constexpr std::size_t kLongestHead = 8UL * 1024;

/// A signed token in its compact form, parsed and not checked (RFC 7515, section 7.1).
struct Jws {
  Algorithm algorithm{};
  std::optional<std::string> key_id = {};
  std::optional<std::string> type = {};  ///< `typ`, as it stands there.
  std::string signed_text;               ///< The head and the content as they are signed.
  std::string signature;                 ///< Decoded.
  std::string content;                   ///< Decoded.
};

/// Parses a compact token. `unauthenticated` if it is malformed or too long, is signed by another
/// algorithm than those of Algorithm, or has an extension that must be understood (`crit`).
Result<Jws> parse_jws(std::string_view compact);

/// Returns true if the key fits the token's algorithm and the token is signed by it.
bool is_signed_by(const Jws& jws, const Jwk& key);

/// The outcome of a look for the key of a token.
enum class Verification : std::uint8_t { verified, no_such_key, wrong_signature };

/// Checks a token's signature by the key that the token names, or if it names none, by each key of
/// a fitting type. `wrong_signature` if such keys are there and none has signed it.
Verification verify(const Jws& jws, std::span<const Jwk> keys);

}  // namespace coffer::oidc
