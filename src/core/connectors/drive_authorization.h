#pragma once

#include <string>

#include "async/task.h"
#include "base/error.h"
#include "core/connectors/connector_service.h"
#include "core/connectors/drive_providers.h"

namespace coffer::core {

/// Drives that are logged in to where a browser is, before they are stored and again. Safe from any
/// thread.
class DriveAuthorization {
 public:
  /// Both outlive it.
  DriveAuthorization(ConnectorService& connectors, DriveProviders& providers)
      : connectors_(connectors), providers_(providers) {}

  /// Fails as `add_with_login` would before there is a login.
  Task<Result<void>> may_log_in(AccountId account, ConnectorPatch patch);
  /// As `ConnectorService::add`, with what a login gave, the token at least, and what the provider
  /// tells after it.
  Task<Result<catalog::Connector>> add_with_login(AccountId account, ConnectorPatch patch,
                                                  DriveParameters login);
  /// As `ConnectorService::change`, for the login of a drive that has one by a browser.
  Task<Result<catalog::Connector>> renew_login(AccountId account, ConnectorId id,
                                               DriveParameters login);
  /// What a login to a new drive begins with; its name may be missing. Fails as `may_log_in` does.
  Result<ConnectorSettings> before_login(const ConnectorPatch& patch) const;
  /// The same for one that there is, with what is said in the place of what it has, and its secrets
  /// where a change would leave them.
  Task<Result<ConnectorSettings>> before_login(const catalog::Connector& connector,
                                               const ConnectorPatch& patch) const;
  /// Fails as `renew_login` would before there is a login; the settings as they are.
  Result<ConnectorSettings> may_renew(const catalog::Connector& connector) const;

 private:
  /// Of what a login gave, what is allowed.
  DriveParameters allowed(const std::string& provider, DriveParameters login) const;
  /// Settings for which a login by token makes sense.
  Result<void> check_login(const ConnectorSettings& settings) const;
  Result<void> check_drive(const catalog::Connector& connector) const;

  ConnectorService& connectors_;
  DriveProviders& providers_;
};

}  // namespace coffer::core
