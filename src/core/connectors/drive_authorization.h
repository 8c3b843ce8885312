#pragma once

#include <string>

#include "async/task.h"
#include "base/error.h"
#include "core/connectors/connector_service.h"
#include "core/connectors/drive_providers.h"

namespace coffer::core {

/// The command that a person runs where a browser is: `rclone authorize` with these settings,
/// without their secrets.
std::string authorize_command(const ConnectorSettings& settings, DriveProviders& providers);

/// The environment variable from which that command reads the `client_secret`; empty if there is
/// none.
std::string authorize_environment(const ConnectorSettings& settings);

/// Adds drives with a login that was made in a browser, and renews such logins. Safe from any
/// thread.
class DriveAuthorization {
 public:
  DriveAuthorization(ConnectorService& connectors, DriveProviders& providers)
      : connectors_(connectors), providers_(providers) {}

  /// Fails as `add_with_login` would before there is a login.
  Task<Result<void>> may_log_in(AccountId account, ConnectorPatch patch);
  /// As `ConnectorService::add`, with the parameters that a login gave, the token at least, and
  /// those that the provider tells after it.
  Task<Result<catalog::Connector>> add_with_login(AccountId account, ConnectorPatch patch,
                                                  DriveParameters login);
  /// As `ConnectorService::change`, for the login of a drive.
  Task<Result<catalog::Connector>> renew_login(AccountId account, ConnectorId id,
                                               DriveParameters login);
  /// The settings that a login to a new drive begins with; its name may be missing. Fails as
  /// `may_log_in` does.
  Result<ConnectorSettings> before_login(const ConnectorPatch& patch) const;
  /// The same for a drive that there is, with the patch applied; its secrets stay if a change would
  /// leave them.
  Task<Result<ConnectorSettings>> before_login(const catalog::Connector& connector,
                                               const ConnectorPatch& patch) const;
  /// Fails as `renew_login` would before there is a login. Returns the settings as they are.
  Result<ConnectorSettings> may_renew(const catalog::Connector& connector) const;

 private:
  /// The parameters of a login that are allowed.
  DriveParameters allowed(const std::string& provider, DriveParameters login) const;
  /// `invalid` for settings that have no login by token.
  Result<void> check_login(const ConnectorSettings& settings) const;
  Result<void> check_drive(const catalog::Connector& connector) const;

  ConnectorService& connectors_;
  DriveProviders& providers_;
};

}  // namespace coffer::core
