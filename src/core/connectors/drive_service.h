#pragma once

#include <functional>
#include <optional>
#include <string>

#include "async/task.h"
#include "base/error.h"
#include "catalog/catalog.h"
#include "core/connectors/connector_labels.h"
#include "core/connectors/drive_providers.h"
#include "core/connectors/drive_settings.h"
#include "core/connectors/sealer.h"

namespace coffer::core {

/// What is said of a cloud drive; absent fields stay as they are, or take their default.
struct DrivePatch : ConnectorLabels {
  std::optional<std::string> type;
  std::optional<std::string> root;
  DriveParameters parameters = {};  ///< Each replaces the one of its name; an empty one removes it.
};

/// Connectors of the kind drive. Listing, finding, removing and trying them out is
/// ConnectorService's. Safe from any thread.
class DriveService {
 public:
  /// `by_administrator`: drives may lead to this machine's and other private addresses.
  DriveService(catalog::Catalog& catalog, DriveProviders& providers, const Sealer& sealer,
               bool by_administrator)
      : catalog_(catalog), providers_(providers), sealer_(sealer), by_admin_(by_administrator) {}

  /// `invalid` for what cannot be, `exists` for a name that is taken. Contacts no server.
  Task<Result<catalog::Connector>> add(AccountId account, DrivePatch patch);
  /// Fails as `add_with_login` would before there is a login.
  Task<Result<void>> may_log_in(AccountId account, DrivePatch patch);
  /// As `add`, with what a login gave, the token at least, and what the provider tells after it.
  Task<Result<catalog::Connector>> add_with_login(AccountId account, DrivePatch patch,
                                                  DriveParameters login);

  /// `invalid` for another kind of connector and for another provider. Where an address changes,
  /// all secrets must be said again (`invalid`). Where it may lead is widened only by an
  /// administrator who states its addresses. Another root or address, any parameter that is no
  /// secret, and a secret that says to be another account's, revoke the keys limited to the
  /// connector or to a folder in it. Other secrets, tokens too, do not tell whose they are.
  Task<Result<catalog::Connector>> change(AccountId account, ConnectorId id, DrivePatch patch);
  /// The same for the login of a drive that has one by a browser.
  Task<Result<catalog::Connector>> renew_login(AccountId account, ConnectorId id,
                                               DriveParameters login);
  /// What a login to a new drive begins with; its name may be missing. Fails as `may_log_in` does.
  Result<DriveSettings> before_login(const DrivePatch& patch) const;
  /// The same for one that there is, with what is said in the place of what it has, and its secrets
  /// where `change` would leave them.
  Result<DriveSettings> before_login(const catalog::Connector& connector,
                                     const DrivePatch& patch) const;
  /// Fails as `renew_login` would before there is a login; the settings as they are.
  Result<DriveSettings> may_renew(const catalog::Connector& connector) const;
  /// Keeps a token that the provider gave for that of `connector`, which is as it was read at any
  /// time. Does nothing if the drive was removed or logged in to in another way since. `invalid`
  /// for what is no token; any other failure may be another one's later.
  Task<Result<void>> keep_token(catalog::Connector connector, std::string token);

  /// What `add` would make, to be tried; it may have no name yet.
  Result<catalog::Connector> candidate(AccountId account, DrivePatch patch) const;
  /// What `change` would make of a connector; as it is where nothing changes.
  Result<catalog::Connector> candidate(const catalog::Connector& connector,
                                       const DrivePatch& patch) const;

  /// With the parameters, so with its secrets. `failed` for what is damaged or no drive.
  Result<DriveSettings> settings_of(const catalog::Connector& connector) const;

 private:
  using Change = std::optional<catalog::ConnectorChange>;
  using Changer = std::function<Result<Change>(const catalog::Connector&)>;
  /// Changes a connector as `changer` says of what is in the catalog; as it is where that says
  /// nothing. No other change of the parameters comes between; kConflict if others do not stop
  /// changing them.
  Task<Result<catalog::Connector>> update(AccountId account, ConnectorId id, Changer changer);
  Task<Result<catalog::Connector>> store(AccountId account, ConnectorLabels labels,
                                         DriveSettings settings);
  Result<catalog::NewConnector> described(AccountId account, ConnectorLabels labels,
                                          const DriveSettings& settings) const;
  Result<Change> changed(const catalog::Connector& connector, const DrivePatch& patch) const;
  Result<Change> with_token(const catalog::Connector& now, const catalog::Connector& before,
                            const std::string& token) const;
  /// As the patch says, on top of `settings`.
  Result<DriveSettings> merged(DriveSettings settings, const DrivePatch& patch) const;
  bool may_be_private(const DriveSettings& before, const DriveSettings& after,
                      const DrivePatch& patch) const;
  Result<void> check_secrets(const DriveSettings& before, const DriveSettings& after,
                             const DrivePatch& patch) const;
  bool target_changed(const DriveSettings& before, const DriveSettings& after) const;
  bool is_another_login(const DriveSettings& before, const DriveSettings& after) const;
  /// Of what a login gave, what is allowed.
  DriveParameters allowed(const std::string& type, DriveParameters login) const;
  Result<DriveSettings> fresh(const DrivePatch& patch) const;
  /// Settings for which a login by token makes sense.
  Result<void> check_login(const DriveSettings& settings) const;

  catalog::Catalog& catalog_;
  DriveProviders& providers_;
  const Sealer& sealer_;
  const bool by_admin_;
};

}  // namespace coffer::core
