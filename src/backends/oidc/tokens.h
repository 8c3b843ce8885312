#pragma once

#include <boost/json/object.hpp>
#include <optional>
#include <string>

#include "backends/oidc/jws.h"
#include "base/clock.h"
#include "base/error.h"

namespace coffer::oidc {

/// What a token must say to be for this client.
struct TokenRules {
  std::string issuer;
  std::string client_id;
  Timestamp at{};  ///< The present. Clocks may differ by a minute.
  /// The nonce of the authorization request. Only for ID tokens.
  std::string nonce = {};
  /// The access token that came with the ID token; may be empty. Only for ID tokens.
  std::string access_token = {};
};

/// Checks the claims of an ID token (OpenID Connect Core 1.0, section 3.1.3.7), whose signature has
/// been checked, and returns them. `unauthenticated`, with a message that says which, if one is
/// missing or wrong: `iss`, `sub`, `aud`, `azp`, `exp`, `iat`, `nbf`, `nonce`, `at_hash`.
Result<boost::json::object> check_id_token(const Jws& token, const TokenRules& rules);

/// Says that a person signed out at the provider.
struct LogoutToken {
  std::string id;                           ///< `jti`: the same one is not taken twice.
  std::optional<std::string> subject = {};  ///< All sessions of this person are over, or
  std::optional<std::string> session = {};  ///< the one of this id at the provider, `sid`.
  Timestamp expires_at{};                   ///< Later, the token is not taken any more.
};

/// Checks a logout token (Back-Channel Logout 1.0, section 2.6), whose signature has been checked.
/// `unauthenticated`, with a message that says why, if it is none. Whether it was used before is
/// left to the caller. A token is taken for an hour at most, whatever `exp` says.
Result<LogoutToken> check_logout_token(const Jws& token, const TokenRules& rules);

/// Returns a subject or the id of a session that has 1 to 255 bytes (Core 1.0, section 2); nullopt
/// if the claim is missing or something else.
std::optional<std::string> id_in(const boost::json::object& claims, std::string_view name);

}  // namespace coffer::oidc
