#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "async/task.h"
#include "base/error.h"
#include "catalog/catalog.h"
#include "core/connectors/circuit_breaker.h"
#include "core/connectors/connector_service.h"
#include "core/connectors/drive_providers.h"

namespace coffer::core {

/// A patch for a connector of any kind. `kind` is used only for a new connector.
struct AnyConnectorPatch : ConnectorPatch {
  catalog::ConnectorKind kind = catalog::ConnectorKind::sftp;
  Trial trial = Trial::before_storing;
};

/// The account that owns the connectors, and the caller who manages them.
struct ConnectorOwner {
  AccountId account;
  std::optional<catalog::Asker> asker = {};
  bool is_command = false;  ///< True if the caller is the command line.

  /// Returns true for administrators and the command line. Only they can permit private addresses.
  bool by_administrator() const { return is_command || (asker && asker->must_be_admin); }
};

/// A drive without its secrets.
struct DriveView {
  std::string provider;
  std::string root;
  std::map<std::string, std::optional<std::string>> parameters;  ///< Secrets are nullopt.
};

/// A connector without its secrets.
struct ConnectorView {
  catalog::Connector connector;             ///< `settings` and `sealed_secret` are empty.
  std::optional<ConnectorSettings> server;  ///< Absent for a drive or damaged settings.
  std::optional<DriveView> drive;  ///< Absent for a server, or if settings or secrets are damaged.
  bool may_be_private = false;     ///< True if an administrator permitted private addresses.
  ServerHealth health;
};

struct ConnectorTrial {
  bool works = false;    ///< True if the test passed; false if `host_key` must be confirmed first.
  std::string host_key;  ///< The SFTP server's key that must be confirmed; otherwise empty.
};

/// Manages the connectors of accounts, for owners and administrators. Safe from any thread.
class AccountConnectors {
 public:
  AccountConnectors(catalog::Catalog& catalog, MountBackends& backends, const ConnectorTypes& types,
                    DriveProviders& providers, const Sealer& sealer, ConnectorHealth& health)
      : catalog_(catalog),
        providers_(providers),
        health_(health),
        users_(catalog, backends, types, sealer, false),
        administrators_(catalog, backends, types, sealer, true) {}

  /// Returns the account's connectors, sorted by name.
  Task<Result<std::vector<ConnectorView>>> list(AccountId account);
  Task<Result<std::vector<ConnectorView>>> list_all();
  /// Returns a connector; `not_found` if the id is unknown or belongs to another account.
  Task<Result<ConnectorView>> get(AccountId account, ConnectorId id);
  /// Returns a connector of any account; `not_found` if the id is unknown.
  Task<Result<ConnectorView>> get_any(ConnectorId id);
  /// `add`, `change` and `remove` work like the functions of ConnectorService with these names.
  Task<Result<ConnectorView>> add(ConnectorOwner owner, AnyConnectorPatch patch);
  Task<Result<ConnectorView>> change(ConnectorOwner owner, ConnectorId id, AnyConnectorPatch patch);
  Task<Result<void>> remove(ConnectorOwner owner, ConnectorId id);
  /// Tests the connector that `add` would create. If the patch of an SFTP server has neither
  /// `host_key` nor `trusts_first_key`, does not log in. Instead returns the server's host key,
  /// which the person must confirm first.
  Task<Result<ConnectorTrial>> test(ConnectorOwner owner, AnyConnectorPatch patch);
  /// Tests the connector that `change` would make. If the patch changes the host or port of an SFTP
  /// server, but has neither `host_key` nor `trusts_first_key`, only returns the new host key.
  Task<Result<ConnectorTrial>> test_changed(ConnectorOwner owner, ConnectorId id,
                                            AnyConnectorPatch patch);
  Task<Result<std::vector<DriveProvider>>> providers() { return providers_.list(); }

  /// Returns the service that applies the rules for administrators, or the one for users.
  ConnectorService& service_for(const ConnectorOwner& owner) {
    return owner.by_administrator() ? administrators_ : users_;
  }

 private:
  ConnectorView view_of(catalog::Connector connector);
  std::vector<ConnectorView> views_of(std::vector<catalog::Connector> connectors);
  Result<void> check_new(const AnyConnectorPatch& patch) const;

  catalog::Catalog& catalog_;
  DriveProviders& providers_;
  ConnectorHealth& health_;
  ConnectorService users_;
  ConnectorService administrators_;
};

}  // namespace coffer::core
