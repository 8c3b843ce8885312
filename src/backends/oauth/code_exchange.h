#pragma once

#include <string>
#include <string_view>

#include "backends/oauth/form_post.h"
#include "base/clock.h"
#include "base/error.h"
#include "storage/remote.h"

namespace coffer::oauth {

/// An authorization code, and the parameters for exchanging it (RFC 6749, section 4.1.3; RFC 7636,
/// section 4.5). The provider has issued the code for one authorization request. It sent the code
/// through the browser of the person who gave consent.
struct CodeExchange {
  std::string token_url;  ///< The token endpoint, http:// or https://.
  std::string code;
  std::string redirect;       ///< The redirect URI of the authorization request.
  std::string client_id;      ///< The id of the person's own OAuth client.
  std::string client_secret;  ///< Empty for a client that has none.
  std::string verifier;       ///< The PKCE code verifier.
  std::string token_type;     ///< If not empty, replaces the token type in the provider's response.
  storage::MayConnect may_connect = {};
  std::string ca_file = {};  ///< A PEM file of trusted certificates; the system's if empty.
  /// `connect` limits the time to connect, `reply` that of the whole request. `ending` aborts it.
  storage::Deadlines deadlines = {};
};

/// Exchanges the code for a token at the provider. Returns the token as JSON, as `rclone authorize`
/// prints it: `access_token` and `token_type`, and also `refresh_token` and `expiry` if the
/// provider sends them. Sends one request over a new connection. Uses no proxy and follows no
/// redirect. Reads at most 64 KiB of the response. Blocks. Safe from any thread.
///
/// No error message contains what was sent or received. The errors are:
/// - `invalid`, with a message that says what to do, if the provider refuses the code (for example
///   because it was used before), the client or the redirect URI
/// - `unavailable` if the provider cannot be reached, its certificate is not trusted, or its
///   address is not allowed
/// - `unavailable` if the provider fails or sends a response without a token
/// - `refused` if the token expires and cannot be renewed
/// - `timed_out` if the provider does not answer in time
/// - `failed` if the file of certificates cannot be read
/// - the error of lack_of if this machine has no free descriptors
Result<std::string> exchange_code(const CodeExchange& exchange);

/// Returns the token in a response (RFC 6749, section 5.1) that arrived at the time `at`, or the
/// error of a refusal (section 5.2). Many providers send refusals with status 200.
Result<std::string> token_in(const FormAnswer& answer, std::string_view token_type, Timestamp at);

}  // namespace coffer::oauth
