#pragma once

#include <string>
#include <string_view>

#include "backends/oauth/form_post.h"
#include "base/clock.h"
#include "base/error.h"
#include "storage/remote.h"

namespace coffer::oauth {

/// An authorization code, and the parameters of the request that it was issued for (RFC 6749,
/// section 4.1.3; RFC 7636, section 4.5). The provider sends the code through the browser of the
/// person who has agreed.
struct CodeExchange {
  std::string token_url;  ///< The token endpoint, http:// or https://.
  std::string code;
  std::string redirect;       ///< The redirect URI to which the code was sent.
  std::string client_id;      ///< The id of the person's own client.
  std::string client_secret;  ///< Empty for a client that has none.
  std::string verifier;       ///< The PKCE code verifier.
  std::string token_type;     ///< Replaces the type in the provider's response; empty to keep that.
  storage::MayConnect may_connect = {};
  std::string ca_file = {};  ///< A PEM file of trusted certificates; empty for those of the system.
  /// `connect` limits connecting, and `reply` the whole request. `ending` aborts the request.
  storage::Deadlines deadlines = {};
};

/// Exchanges the code for a token at the provider. Returns the token as JSON in the form that
/// `rclone authorize` prints: `access_token`, `token_type`, and if the provider gives them
/// `refresh_token` and `expiry`. Sends one request over a new connection, uses no proxy and follows
/// no redirect. Reads at most 64 KiB of the response. Blocks; safe from any thread.
///
/// No error message contains what was sent or received. The errors are:
/// - `invalid`, with advice, if the provider refuses the code, the client or the redirect URI. A
///   code is valid only once.
/// - `unavailable` if the provider cannot be reached or fails, its certificate is not trusted, its
///   address is not allowed, or its response is not a token
/// - `refused` if the token expires and cannot be renewed
/// - `timed_out` if the provider does not answer in time
/// - `failed` if the file of certificates cannot be read
Result<std::string> exchange_code(const CodeExchange& exchange);

/// Parses a provider's response that arrived at the time `at`. Returns its token (RFC 6749, section
/// 5.1) or the error of its refusal (section 5.2), which many providers send with status 200.
Result<std::string> token_in(const FormAnswer& answer, std::string_view token_type, Timestamp at);

}  // namespace coffer::oauth
