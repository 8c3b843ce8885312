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

/// The endpoints of a provider (RFC 6749, section 3) for a login with an OAuth client of the
/// person's own.
struct OAuthServer {
  std::string authorize_url;  ///< The authorization endpoint; may have a query already.
  std::string token_url;
  std::string scope;  ///< Scopes, separated by spaces; may be empty.
  FormFields words;   ///< Further parameters of the authorization request.
  /// The type to store with a token; empty for the type that the provider returns.
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
  /// Returns the token as JSON, for the drive's parameter `token`. Waits on the account's threads
  /// for remote servers. `invalid` if the provider refuses the code. `unavailable`, `refused` or
  /// `timed_out` if the provider cannot be reached, also because its address is private although
  /// `may_be_private` is false. No error message repeats a secret.
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
  /// `invalid`, with advice, if the provider or a parameter is not allowed or has a bad value.
  /// Parameters may be missing.
  virtual Result<void> check_options(const ConnectorSettings& settings) = 0;
  /// Returns those of the parameters that `check_options` accepts.
  virtual DriveParameters only_allowed(std::string_view type, DriveParameters parameters) = 0;
  /// `invalid` if `check_options` fails or a parameter is missing.
  virtual Result<void> check(const ConnectorSettings& settings) = 0;
  /// Checks like `check`, except that the parameters that a login provides may be missing.
  virtual Result<void> check_before_login(const ConnectorSettings& settings) = 0;
  /// Returns true if the parameter is an address to which requests, and so secrets, are sent.
  virtual bool is_address(std::string_view type, std::string_view parameter) = 0;
  /// Returns true if the parameter is a password, token or key, which is never shown.
  virtual bool is_secret(std::string_view type, std::string_view parameter) = 0;
  /// Returns the account that a login belongs to, if the parameter's value names it; otherwise
  /// empty.
  virtual std::string account_of(std::string_view type, std::string_view parameter,
                                 std::string_view value) = 0;
  /// Returns true if a login in a browser yields the provider's parameter `token`.
  virtual bool uses_oauth(std::string_view type) = 0;
  /// Returns the endpoints for a login with the person's own OAuth client; nullopt if the provider
  /// does not redirect to a client's own address. The settings must pass `check_options`.
  virtual std::optional<OAuthServer> oauth_server(const ConnectorSettings& settings) = 0;
  /// Returns the allowed providers, sorted by type. `unavailable` if they cannot be listed.
  virtual Task<Result<std::vector<DriveProvider>>> list() = 0;
  /// Answers the questions that a provider asks after a login, with the answers that the provider
  /// proposes. The settings have the parameter `token`. Contacts the provider. Returns the given
  /// parameters, and the allowed parameters that the answers add. `invalid` if a question has no
  /// proposed answer.
  virtual Task<Result<DriveParameters>> log_in(ConnectorSettings settings) = 0;
};

}  // namespace coffer::core
