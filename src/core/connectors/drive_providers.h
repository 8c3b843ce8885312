#pragma once

#include <boost/json/array.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "async/task.h"
#include "base/error.h"
#include "core/connectors/connector_settings.h"
#include "core/connectors/oauth_server.h"

namespace coffer::core {

/// A provider as it is shown to people and in forms.
struct DriveProvider {
  std::string type;
  std::string name;  ///< For people: `Google Drive`.
  bool uses_oauth = false;
  /// Of each allowed option an object with `name`, `help`, `default`, `onlyFor`, `isSecret`,
  /// `isAddress`, `isRequired`, `isAdvanced`, `examples`.
  boost::json::array options;
};

/// Those who know cloud providers. Safe from any thread.
class DriveProviders {
 public:
  virtual ~DriveProviders() = default;
  /// `invalid`, with what to do, if the provider or a parameter is not allowed or cannot be.
  /// Parameters may still be missing.
  virtual Result<void> check_options(const ConnectorSettings& settings) = 0;
  /// Of some parameters those that pass `check_options`.
  virtual DriveParameters only_allowed(std::string_view type, DriveParameters parameters) = 0;
  /// As `check_options`, and `invalid` as well if a parameter is missing.
  virtual Result<void> check(const ConnectorSettings& settings) = 0;
  /// As `check`, but what a login gives may be missing.
  virtual Result<void> check_before_login(const ConnectorSettings& settings) = 0;
  /// True if requests, and so secrets, go where the parameter says.
  virtual bool is_address(std::string_view type, std::string_view parameter) = 0;
  /// True if the parameter is a password, token or key that is never shown.
  virtual bool is_secret(std::string_view type, std::string_view parameter) = 0;
  /// Whose login a parameter is, where its value says so by itself; else empty.
  virtual std::string account_of(std::string_view type, std::string_view parameter,
                                 std::string_view value) = 0;
  /// True if a login where a browser is gives a token for the provider: the parameter `token`.
  virtual bool uses_oauth(std::string_view type) = 0;
  /// Where a person's own client is let in to such a drive, of settings that pass `check_options`;
  /// nothing where the provider sends no one back to an address of a client's own.
  virtual std::optional<OAuthServer> oauth_server(const ConnectorSettings& settings) = 0;
  /// Those that are allowed, by type. `unavailable` if they cannot be asked for.
  virtual Task<Result<std::vector<DriveProvider>>> list() = 0;
  /// Holds the dialogue that a provider has after a login with the parameter `token`, with what it
  /// proposes as the answers; contacts the provider. The parameters, with the token and what is
  /// allowed of what the dialogue found out; what was given stays. `invalid` for a question
  /// without a proposal.
  virtual Task<Result<DriveParameters>> log_in(ConnectorSettings settings) = 0;
};

}  // namespace coffer::core
