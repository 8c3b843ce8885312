#pragma once

#include <boost/json/array.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "async/task.h"
#include "base/encoding.h"
#include "base/error.h"
#include "base/id.h"
#include "core/connectors/connector_settings.h"

namespace coffer::core {

/// The endpoints of a provider (RFC 6749, section 3) and the parameters for them. They are for
/// logins with an OAuth client that the person has registered.
struct OAuthServer {
  std::string authorize_url;  ///< The authorization endpoint; may have a query already.
  std::string token_url;
  std::string scope;  ///< The requested scopes, separated as the provider expects; may be empty.
  FormFields words;   ///< Further parameters of the authorization request.
  /// The `token_type` to store with a token. If empty, the type that the provider returns is
  /// stored.
  std::string token_type;
};

/// An authorization code of a provider, and the parameters of the request that it was issued for
/// (RFC 6749, section 4.1.3).
struct CodeGrant {
  std::string token_url;
  std::string token_type;
  std::string code;
  std::string redirect;
  std::string client_id;
  std::string client_secret;  ///< Empty for a client that has none.
  std::string verifier;       ///< The PKCE code verifier (RFC 7636).
};

/// Exchanges authorization codes for tokens at providers. Safe from any thread.
class TokenServers {
 public:
  virtual ~TokenServers() = default;
  /// Returns the token as JSON, for the drive's parameter `token`. The request blocks one of the
  /// account's threads for remote servers. If `may_be_private` is false, private addresses are
  /// treated as unreachable. `invalid` if the provider refuses the code; `unavailable`, `refused`
  /// or `timed_out` if the provider cannot be reached. No error message repeats a secret.
  virtual Task<Result<std::string>> exchange(AccountId account, bool may_be_private,
                                             CodeGrant grant) = 0;
};

/// A provider, as shown to people and in forms.
struct DriveProvider {
  std::string type;
  std::string name;  ///< For people: `Google Drive`.
  bool uses_oauth = false;
  /// One object for each allowed option, with `name`, `help`, `default`, `onlyFor`, `isSecret`,
  /// `isAddress`, `isRequired`, `isAdvanced`, `examples`.
  boost::json::array options;
};

/// Knows the cloud providers and their parameters. Safe from any thread.
class DriveProviders {
 public:
  virtual ~DriveProviders() = default;
  /// Checks a drive's settings: `invalid`, with advice, if the provider is not allowed, or if a
  /// parameter is not allowed or has a bad value. Parameters may be missing.
  virtual Result<void> check_options(const ConnectorSettings& settings) = 0;
  /// Returns the parameters without those that `check_options` does not accept.
  virtual DriveParameters only_allowed(std::string_view type, DriveParameters parameters) = 0;
  /// Like `check_options`, but also `invalid` if a parameter is missing or an address not allowed.
  virtual Result<void> check(const ConnectorSettings& settings) = 0;
  /// Checks like `check`, except that the parameters that a login provides may be missing.
  virtual Result<void> check_before_login(const ConnectorSettings& settings) = 0;
  /// Returns true if the parameter determines where requests, and secrets in them, are sent.
  virtual bool is_address(std::string_view type, std::string_view parameter) = 0;
  /// Returns true if the parameter is a password, token or key. It is then never shown.
  virtual bool is_secret(std::string_view type, std::string_view parameter) = 0;
  /// Returns the account at the provider that the value of a secret parameter names, such as the
  /// email of a service account. Empty if the value names no account.
  virtual std::string account_of(std::string_view type, std::string_view parameter,
                                 std::string_view value) = 0;
  /// Returns true if a login in a browser yields the provider's parameter `token`.
  virtual bool uses_oauth(std::string_view type) = 0;
  /// Returns the endpoints for a login with the person's own OAuth client. Returns nullopt if the
  /// provider does not redirect to an address that the client chooses. The settings must pass
  /// `check_options`.
  virtual std::optional<OAuthServer> oauth_server(const ConnectorSettings& settings) = 0;
  /// Returns the allowed providers, sorted by type. `unavailable` if they cannot be listed.
  virtual Task<Result<std::vector<DriveProvider>>> list() = 0;
  /// Asks the provider for the parameters that a drive needs besides the `token`, such as the id of
  /// a OneDrive. The settings contain the `token`. Each question of the provider gets the answer
  /// that the provider proposes. Returns the given parameters and the allowed ones that the answers
  /// add. `invalid` if a question has no proposed answer.
  virtual Task<Result<DriveParameters>> log_in(ConnectorSettings settings) = 0;
};

}  // namespace coffer::core
