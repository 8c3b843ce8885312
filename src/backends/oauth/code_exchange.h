#pragma once

#include <string>
#include <string_view>

#include "backends/curl/request.h"
#include "base/clock.h"
#include "base/error.h"
#include "storage/remote.h"

namespace coffer::oauth {

/// An authorization code, and the parameters for exchanging it for a token (RFC 6749, section
/// 4.1.3; RFC 7636, section 4.5). The provider issued the code after a person gave consent on the
/// provider's web page, and sent it to Coffer through the person's browser.
struct CodeExchange {
  std::string token_url;  ///< The token endpoint, http:// or https://.
  std::string code;
  std::string redirect;       ///< The redirect URI of the authorization request.
  std::string client_id;      ///< The id of an OAuth client that the person registered.
  std::string client_secret;  ///< Empty if the client has no secret.
  std::string verifier;       ///< The PKCE code verifier.
  std::string token_type;     ///< If not empty, replaces the token type in the provider's response.
  storage::MayConnect may_connect = {};
  std::string ca_file = {};  ///< A PEM file of trusted certificates; if empty, the system's.
  /// Only `connect` (for connecting), `reply` (for the whole request) and `ending` are used.
  storage::Deadlines deadlines = {};
};

/// Exchanges the code for a token at the provider. Returns the token in the JSON format that
/// `rclone authorize` prints, with the members `access_token` and `token_type`. The members
/// `refresh_token` and `expiry` are missing if the provider does not send their values. Sends one
/// request, without a proxy, and follows no redirect. Blocks. Safe from any thread.
///
/// No error message contains what was sent or received. The errors are:
/// - `invalid`, with a message that says what to do, if the provider refuses the code (for example
///   because it was used before), the client or the redirect URI
/// - `unavailable` if the provider cannot be reached, its certificate is not trusted, or its
///   address is not allowed
/// - `unavailable` if the provider's response reports a failure, lacks a token or exceeds 64 KiB
/// - `refused` if the token expires and the provider sends no refresh token
/// - `timed_out` if the provider does not answer in time
/// - `failed` if the file of certificates cannot be read
/// - the error of lack_of (base/error.h) if this machine has no free descriptors
Result<std::string> exchange_code(const CodeExchange& exchange);

/// Parses a token response (RFC 6749, sections 5.1 and 5.2), and returns what `exchange_code`
/// returns. `token_type` is CodeExchange::token_type. `at` is the time of the response's arrival.
Result<std::string> token_in(const curl::Answer& answer, std::string_view token_type, Timestamp at);

}  // namespace coffer::oauth
