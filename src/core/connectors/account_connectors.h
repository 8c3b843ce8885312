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

/// A patch for a connector of any kind, and whether the connector is tried before it is stored.
struct AnyConnectorPatch : ConnectorPatch {
  catalog::ConnectorKind kind = catalog::ConnectorKind::sftp;
  Trial trial = Trial::before_storing;
};

/// The account whose connectors are managed, and who asks.
struct ConnectorOwner {
  AccountId account;
  std::optional<catalog::Asker> asker = {};
  bool is_command = false;  ///< True for the command line.

  /// Connectors that an administrator makes may lead to private addresses.
  bool by_administrator() const { return is_command || (asker && asker->must_be_admin); }
};

/// A drive without its secrets.
struct DriveView {
  std::string provider;
  std::string root;
  std::map<std::string, std::optional<std::string>> parameters;  ///< nullopt: it is secret.
};

/// A connector without its secrets.
struct ConnectorView {
  catalog::Connector connector;  ///< `settings` and `sealed_secret` are empty.
  std::optional<ConnectorSettings> server;
  std::optional<DriveView> drive;  ///< Absent also if its secrets cannot be read.
  bool may_be_private = false;     ///< An administrator gave its address.
  ServerHealth health;
};

struct ConnectorTrial {
  bool works = false;    ///< Otherwise nothing was tried: the host key has to be confirmed first.
  std::string host_key;  ///< The key that an SFTP server shows; empty if the patch stated it.
};

/// Manages the connectors of accounts, for accounts and administrators. Safe from any thread.
class AccountConnectors {
 public:
  AccountConnectors(catalog::Catalog& catalog, MountBackends& backends, const ConnectorTypes& types,
                    DriveProviders& providers, const Sealer& sealer, ConnectorHealth& health)
      : catalog_(catalog),
        providers_(providers),
        health_(health),
        users_(catalog, backends, types, sealer, false),
        administrators_(catalog, backends, types, sealer, true) {}

  /// Sorted by name.
  Task<Result<std::vector<ConnectorView>>> list(AccountId account);
  Task<Result<std::vector<ConnectorView>>> list_all();
  /// `not_found` for an id that is unknown or another account's.
  Task<Result<ConnectorView>> get(AccountId account, ConnectorId id);
  /// The same for a connector of any account.
  Task<Result<ConnectorView>> get_any(ConnectorId id);
  /// As the functions of ConnectorService with these names.
  Task<Result<ConnectorView>> add(ConnectorOwner owner, AnyConnectorPatch patch);
  Task<Result<ConnectorView>> change(ConnectorOwner owner, ConnectorId id, AnyConnectorPatch patch);
  Task<Result<void>> remove(ConnectorOwner owner, ConnectorId id);
  /// Tries the connector that `add` would make. Does not log in to an SFTP server without a stated
  /// host key.
  Task<Result<ConnectorTrial>> test(ConnectorOwner owner, AnyConnectorPatch patch);
  /// Tries the connector that `change` would make.
  Task<Result<ConnectorTrial>> test_changed(ConnectorOwner owner, ConnectorId id,
                                            AnyConnectorPatch patch);
  /// The providers of drives.
  Task<Result<std::vector<DriveProvider>>> providers() { return providers_.list(); }

  /// The service with the rules for this owner's connectors.
  ConnectorService& service_for(const ConnectorOwner& owner) {
    return owner.by_administrator() ? administrators_ : users_;
  }

 private:
  ConnectorView view_of(catalog::Connector connector);
  Result<void> check_new(const AnyConnectorPatch& patch) const;

  catalog::Catalog& catalog_;
  DriveProviders& providers_;
  ConnectorHealth& health_;
  ConnectorService users_;
  ConnectorService administrators_;
};

}  // namespace coffer::core
