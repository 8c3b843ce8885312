#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "async/task.h"
#include "base/error.h"
#include "catalog/catalog.h"
#include "core/connectors/connector_type.h"
#include "core/connectors/sealer.h"
#include "core/namespace/mounts.h"

namespace coffer::core {

/// Adds, changes and tries connectors of accounts, by the rules for all types. Safe from any
/// thread.
class ConnectorService {
 public:
  /// With `by_administrator`, connectors may lead to this machine and other private addresses.
  ConnectorService(catalog::Catalog& catalog, MountBackends& backends, const ConnectorTypes& types,
                   const Sealer& sealer, bool by_administrator)
      : catalog_(catalog),
        backends_(backends),
        types_(types),
        sealer_(sealer),
        by_admin_(by_administrator) {}

  /// `invalid` for bad settings, `exists` for a name that is taken, or the failure of the trial.
  /// Without a trial, contacts a server only to learn its host key, if the patch asks for that. A
  /// drive is tried after it is stored, since a token that it renews meanwhile has to be kept, and
  /// removed again if the trial fails.
  Task<Result<catalog::Connector>> add(AccountId account, catalog::ConnectorKind kind,
                                       ConnectorPatch patch, Trial trial = Trial::none);
  Task<Result<std::vector<catalog::Connector>>> list(AccountId account);
  /// `not_found` for an id that is unknown or another account's.
  Task<Result<catalog::Connector>> get(AccountId account, ConnectorId id);
  /// `invalid` for members of another type, and for another provider of a drive. Another host, port
  /// or address, or going without TLS, needs the secrets again (`invalid`). A default port follows
  /// the TLS mode. Only an administrator who states the host, or all addresses, may let a connector
  /// lead to private addresses. Keys limited to the connector or to a folder in it are revoked by
  /// another host, port, user, root or address, by any parameter that is no secret, and by a secret
  /// that names another account; other secrets, tokens too, do not tell whose they are. A change of
  /// more than labels is tried, but not of drives.
  Task<Result<catalog::Connector>> change(AccountId account, ConnectorId id, ConnectorPatch patch,
                                          Trial trial = Trial::none);
  /// Removes the connector; the server keeps its files. Acts on the next request.
  Task<Result<void>> remove(AccountId account, ConnectorId id,
                            std::optional<catalog::Asker> asker = {});
  /// Logs in and lists the folder; fails as that does.
  Task<Result<void>> test(const catalog::Connector& connector);

  /// The same for the connector that `add` would make, which may have no name yet.
  Task<Result<void>> test_new(AccountId account, catalog::ConnectorKind kind, ConnectorPatch patch);
  /// The same for the connector that `change` would make.
  Task<Result<void>> test_changed(AccountId account, ConnectorId id, ConnectorPatch patch);
  /// The host key that the server of the patch shows now; sends it no secret.
  Task<Result<std::string>> shown_host_key(AccountId account, catalog::ConnectorKind kind,
                                           ConnectorPatch patch);

  /// Stores a token that the provider gave in place of the one that `connector` has, which may be
  /// out of date. Does nothing if the drive was removed or logged in to anew since. `invalid` for a
  /// text that is no token; after any other failure another try may succeed.
  Task<Result<void>> keep_token(catalog::Connector connector, std::string token);

  // For logins to a drive before it is stored.

  ConnectorType& type_of(catalog::ConnectorKind kind) const { return types_.of(kind); }
  /// The settings, with the secrets of a drive. `failed` if they are damaged.
  Result<ConnectorSettings> settings_of(const catalog::Connector& connector) const;
  /// The settings that `add` would store, before they are checked as a whole.
  Result<ConnectorSettings> fresh(catalog::ConnectorKind kind, const ConnectorPatch& patch) const;
  struct Changed {
    ConnectorSettings before;
    ConnectorSettings after;
  };
  /// The settings of a connector before and after `change`.
  Task<Result<Changed>> changed(const catalog::Connector& connector,
                                const ConnectorPatch& patch) const;

 private:
  using Change = std::optional<catalog::ConnectorChange>;
  using Changer = std::function<Task<Result<Change>>(const catalog::Connector&)>;
  /// Makes the change that `changer` returns for the connector as it is in the catalog, none for
  /// nullopt, and starts over if another change of the secret came between; kConflict after eight
  /// tries.
  Task<Result<catalog::Connector>> update(AccountId account, ConnectorId id, Changer changer);
  Task<Result<catalog::NewConnector>> described(AccountId account, catalog::ConnectorKind kind,
                                                const ConnectorPatch& patch,
                                                ConnectorSettings settings) const;
  Task<Result<catalog::Connector>> keep_if_it_works(catalog::Connector made);
  bool may_be_private(const ConnectorType& type, const ConnectorSettings& before,
                      const ConnectorSettings& after, const ConnectorPatch& patch) const;
  Task<Result<catalog::ConnectorChange>> prepare(const catalog::Connector& connector,
                                                 const ConnectorPatch& patch) const;
  catalog::Connector candidate(const catalog::Connector& connector,
                               const catalog::ConnectorChange& change) const;
  Task<Result<Change>> tried(const catalog::Connector& connector, const ConnectorPatch& patch,
                             Trial trial);
  Task<Result<Change>> with_token(const catalog::Connector& now, const catalog::Connector& before,
                                  const std::string& token) const;

  catalog::Catalog& catalog_;
  MountBackends& backends_;
  const ConnectorTypes& types_;
  const Sealer& sealer_;
  const bool by_admin_;
};

}  // namespace coffer::core
