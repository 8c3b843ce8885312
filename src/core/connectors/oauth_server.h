#pragma once

#include <string>

#include "async/task.h"
#include "base/encoding.h"
#include "base/error.h"
#include "base/id.h"

namespace coffer::core {

/// Where a provider asks a person whether a client of their own may use a drive, and where that
/// client gets its token (RFC 6749, section 3).
struct OAuthServer {
  std::string authorize_url;  ///< May have a query already.
  std::string token_url;
  std::string scope;       ///< Divided by spaces; empty for none.
  FormFields words;        ///< What the page of consent is asked with besides.
  std::string token_type;  ///< What a token's type is noted as; empty for what the provider says.
};

/// A code of a provider, and what it was asked for with (RFC 6749, section 4.1.3).
struct CodeGrant {
  std::string token_url;
  std::string token_type;
  std::string code;
  std::string redirect;
  std::string client_id;
  std::string client_secret;  ///< Empty for a client that has none.
  std::string verifier;       ///< RFC 7636.
};

/// Those who can ask a provider for a token. Safe from any thread.
class TokenServers {
 public:
  virtual ~TokenServers() = default;
  /// The token as the parameter `token` of a drive: JSON. On a thread of the account's for remote
  /// servers. `invalid` where the provider refuses; `unavailable`, `refused` or `timed_out`, also
  /// where the address is not public and may not be private. Never repeats what it was given.
  virtual Task<Result<std::string>> exchange(AccountId account, bool may_be_private,
                                             CodeGrant grant) = 0;
};

}  // namespace coffer::core
