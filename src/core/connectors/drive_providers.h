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

/// The addresses at which a provider asks a person whether a client of their own may use a drive,
/// and at which that client gets its token (RFC 6749, section 3).
struct OAuthServer {
  std::string authorize_url;  ///< May have a query already.
  std::string token_url;
  std::string scope;  ///< Separated by spaces; empty for none.
  FormFields words;   ///< Further parameters of the page of consent.
  std::string
      token_type;  ///< The type to store with a token; empty for the one that the provider says.
};

/// A code of a provider, and the request that it was given for (RFC 6749, section 4.1.3).
struct CodeGrant {
  std::string token_url;
  std::string token_type;
  std::string code;
  std::string redirect;
  std::string client_id;
  std::string client_secret;  ///< Empty for a client that has none.
  std::string verifier;       ///< RFC 7636.
};

/// Gets tokens from providers. Safe from any thread.
class TokenServers {
 public:
  virtual ~TokenServers() = default;
  /// The token as the parameter `token` of a drive: JSON. Waits on the account's threads for remote
  /// servers. `invalid` if the provider refuses; `unavailable`, `refused` or `timed_out`, also for
  /// an address that is private and may not be. No message repeats a secret.
  virtual Task<Result<std::string>> exchange(AccountId account, bool may_be_private,
                                             CodeGrant grant) = 0;
};

/// A provider as it is shown to people and in forms.
struct DriveProvider {
  std::string type;
  std::string name;  ///< For people: `Google Drive`.
  bool uses_oauth = false;
  /// An object for each allowed option, with `name`, `help`, `default`, `onlyFor`, `isSecret`,
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
  /// The parameters that pass `check_options`.
  virtual DriveParameters only_allowed(std::string_view type, DriveParameters parameters) = 0;
  /// As `check_options`, and `invalid` as well if a parameter is missing.
  virtual Result<void> check(const ConnectorSettings& settings) = 0;
  /// As `check`, but parameters that a login gives may be missing.
  virtual Result<void> check_before_login(const ConnectorSettings& settings) = 0;
  /// True if the parameter is an address that requests, and so secrets, go to.
  virtual bool is_address(std::string_view type, std::string_view parameter) = 0;
  /// True if the parameter is a password, token or key that is never shown.
  virtual bool is_secret(std::string_view type, std::string_view parameter) = 0;
  /// The account that a login belongs to, if the parameter's value tells; otherwise empty.
  virtual std::string account_of(std::string_view type, std::string_view parameter,
                                 std::string_view value) = 0;
  /// True if a login in a browser gives a token for the provider: the parameter `token`.
  virtual bool uses_oauth(std::string_view type) = 0;
  /// The addresses for a login by a person's own client, for settings that pass `check_options`;
  /// nullopt if the provider does not send people back to a client's own address.
  virtual std::optional<OAuthServer> oauth_server(const ConnectorSettings& settings) = 0;
  /// The allowed providers, sorted by type. `unavailable` if they cannot be listed.
  virtual Task<Result<std::vector<DriveProvider>>> list() = 0;
  /// Answers the questions that a provider asks after a login with the parameter `token`, with the
  /// answers that it proposes; contacts the provider. Returns the given parameters, and those
  /// allowed ones that the answers add. `invalid` for a question without a proposal.
  virtual Task<Result<DriveParameters>> log_in(ConnectorSettings settings) = 0;
};

}  // namespace coffer::core
