#pragma once

#include <string>
#include <string_view>

#include "backends/oauth/form_post.h"
#include "base/clock.h"
#include "base/error.h"
#include "storage/remote.h"

namespace coffer::oauth {

/// A code that a provider sent by the browser of a person who agreed, and what it was asked for
/// with (RFC 6749, section 4.1.3; RFC 7636, section 4.5).
struct CodeExchange {
  std::string token_url;  ///< http:// or https://.
  std::string code;
  std::string redirect;       ///< The address that it was sent to.
  std::string client_id;      ///< The id of the person's own client.
  std::string client_secret;  ///< Empty for a client that has none.
  std::string verifier;
  std::string token_type;  ///< Replaces the type that the provider tells; empty: that one.
  storage::MayConnect may_connect = {};
  std::string ca_file = {};  ///< Certificates to trust, PEM; empty for those of the system.
  /// `connect`, and `reply` for all of it; a call under way ends with the program.
  storage::Deadlines deadlines = {};
};

/// Asks the provider for the token: JSON as `rclone authorize` prints it, with `access_token`,
/// `token_type`, and `refresh_token` and `expiry` where there are any. Blocking, for a thread of a
/// pool; safe from any thread. One request, over a connection of its own that no proxy and no
/// redirect leads elsewhere; what is answered is read to 64 KiB.
///
/// `invalid`, saying what to do, where the provider refuses the code, the client or the redirect
/// address; a code is good once. `unavailable` where it cannot be reached, its certificate is not
/// trusted or its address not allowed, and for an answer that is no token; `refused` for a token
/// that ends and cannot be renewed; `timed_out`. No message repeats what was sent or answered.
Result<std::string> exchange_code(const CodeExchange& exchange);

/// The token in a provider's answer (RFC 6749, section 5.1) that came `at` a time, or what its
/// refusal (section 5.2) means: as `exchange_code` says. Many a provider refuses with 200.
Result<std::string> token_in(const FormAnswer& answer, std::string_view token_type, Timestamp at);

}  // namespace coffer::oauth
