#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace coffer::oidc {

/// What a provider says of itself (OpenID Connect Discovery 1.0, section 3; RP-Initiated Logout
/// 1.0, section 2.1; RFC 9207, section 3).
struct Metadata {
  std::string issuer;
  std::string authorization_endpoint;
  std::string token_endpoint;
  std::string key_set;               ///< `jwks_uri`.
  std::string userinfo_endpoint;     ///< Empty if there is none.
  std::string end_session_endpoint;  ///< Empty if there is none.
  /// How clients may authenticate at the token endpoint.
  std::vector<std::string> client_authentication = {"client_secret_basic"};
  /// True if answers to authorization requests always name the issuer, as `iss`.
  bool names_issuer = false;
};

/// `invalid` if the text is no issuer: an address by https, without a query or fragment. One of
/// this machine (`localhost`, 127.0.0.0/8, ::1) may be by http.
Result<void> check_issuer(std::string_view issuer);

/// Returns the address of the issuer's metadata (Discovery 1.0, section 4).
std::string metadata_address(std::string_view issuer);

/// Reads a provider's metadata. `unavailable` if the text is none, if it is of another issuer than
/// exactly this one, or if an address in it is not allowed: by http unless it is of this machine
/// and the issuer too is by http, longer than 2048 bytes, with a fragment or a user's name.
Result<Metadata> parse_metadata(std::string_view text, std::string_view issuer);

}  // namespace coffer::oidc
