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

/// The OAuth endpoints of a provider (RFC 6749, section 3) and the parameters that they expect, for
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

/// The parameters of a request that exchanges an authorization code for a token (RFC 6749, section
/// 4.1.3).
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
  /// Returns the token as JSON, for a drive's parameter `token`. `invalid` if the provider refuses
  /// the code; `unavailable` or `timed_out` if the provider does not answer with a token, or has a
  /// private address although `may_be_private` is false; `refused` if the token expires and cannot
  /// be renewed. Runs in the account's pool for remote servers. Error messages contain no secrets.
  virtual Task<Result<std::string>> exchange(AccountId account, bool may_be_private,
                                             CodeGrant grant) = 0;
};

/// A provider, as it is shown to people who configure a drive.
struct DriveProvider {
  std::string type;
  std::string name;  ///< For people: `Google Drive`.
  bool uses_oauth = false;
  /// One object for each allowed parameter: `name`, `help`, `default`, `onlyFor`, `isSecret`,
  /// `isAddress`, `isRequired`, `isAdvanced`, `examples`.
  boost::json::array options;
};

/// Knows the cloud providers and their parameters. Safe from any thread.
class DriveProviders {
 public:
  virtual ~DriveProviders() = default;
  /// Checks a drive's settings. `invalid` if the provider or a parameter is not allowed, or if a
  /// parameter has a bad value. Accepts settings that lack required parameters.
  virtual Result<void> check_options(const ConnectorSettings& settings) = 0;
  /// Returns only those parameters that `check_options` accepts for this type of provider.
  virtual DriveParameters only_allowed(std::string_view type, DriveParameters parameters) = 0;
  /// Like `check_options`. Also `invalid` if a parameter is missing or an address is not allowed.
  virtual Result<void> check(const ConnectorSettings& settings) = 0;
  /// Like `check`, but accepts settings that lack the parameters that a login provides.
  virtual Result<void> check_before_login(const ConnectorSettings& settings) = 0;
  /// Returns true if the parameter determines the server to which requests and secrets are sent.
  virtual bool is_address(std::string_view type, std::string_view parameter) = 0;
  /// Returns true if the parameter is a password, token or key, which must never be shown.
  virtual bool is_secret(std::string_view type, std::string_view parameter) = 0;
  /// Returns the account at the provider that the value of a secret parameter names, such as the
  /// email of a service account. Empty if the value names no account.
  virtual std::string account_of(std::string_view type, std::string_view parameter,
                                 std::string_view value) = 0;
  /// Returns true if people log in to the provider in a browser, to get its parameter `token`.
  virtual bool uses_oauth(std::string_view type) = 0;
  /// Returns the endpoints for a login with the person's own OAuth client. Returns nullopt if the
  /// provider has no such login, or Coffer does not support it. The settings must have passed
  /// `check_options`.
  virtual std::optional<OAuthServer> oauth_server(const ConnectorSettings& settings) = 0;
  /// Returns the allowed providers, sorted by type. `unavailable` if they cannot be listed.
  virtual Task<Result<std::vector<DriveProvider>>> list() = 0;
  /// Finds the parameters that a drive of the account needs besides the `token`, such as the id of
  /// a OneDrive. The settings must contain the `token`. Lets rclone configure the drive, and
  /// answers each question with its default. Returns the given parameters, and the allowed ones
  /// that rclone adds. `invalid` if a required question has no default.
  virtual Task<Result<DriveParameters>> log_in(AccountId account, ConnectorSettings settings) = 0;
};

}  // namespace coffer::core
