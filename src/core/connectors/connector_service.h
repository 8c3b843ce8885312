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

/// Connectors of accounts: what goes for all types. Safe from any thread.
class ConnectorService {
 public:
  /// `by_administrator`: connectors may lead to this machine's and other private addresses.
  ConnectorService(catalog::Catalog& catalog, MountBackends& backends, const ConnectorTypes& types,
                   const Sealer& sealer, bool by_administrator)
      : catalog_(catalog),
        backends_(backends),
        types_(types),
        sealer_(sealer),
        by_admin_(by_administrator) {}

  /// `invalid` for what cannot be, `exists` for a name that is taken, and what a trial fails with.
  /// Without one, contacts a server only to learn its host key, where that is asked for. A drive is
  /// tried when it is stored, since a token that it renews meanwhile has to be kept; one that does
  /// not pass is gone again.
  Task<Result<catalog::Connector>> add(AccountId account, catalog::ConnectorKind kind,
                                       ConnectorPatch patch, Trial trial = Trial::none);
  Task<Result<std::vector<catalog::Connector>>> list(AccountId account);
  /// `not_found` for an id that is unknown or another account's.
  Task<Result<catalog::Connector>> get(AccountId account, ConnectorId id);
  /// By id, or else by name; `not_found` if there is none.
  Task<Result<catalog::Connector>> find(AccountId account, std::string id_or_name);
  /// `invalid` for what is said of another type, and for another provider of a drive. Another host,
  /// port or address, or going without TLS, needs the secrets again (`invalid`). A default port
  /// follows the TLS mode. Where it may lead is widened only by an administrator who states its
  /// host, or all its addresses. Another host, port, user, root or address, any parameter that is
  /// no secret, and a secret that says to be another account's, revoke the keys limited to the
  /// connector or to a folder in it. Other secrets, tokens too, do not tell whose they are. A trial
  /// is made of what changes more than labels, but not of drives.
  Task<Result<catalog::Connector>> change(AccountId account, ConnectorId id, ConnectorPatch patch,
                                          Trial trial = Trial::none);
  /// Removes the connector; the server keeps its files. Acts on the next request.
  Task<Result<void>> remove(AccountId account, ConnectorId id,
                            std::optional<catalog::Asker> asker = {});
  /// Logs in and lists the folder: what is wrong, if anything.
  Task<Result<void>> test(const catalog::Connector& connector);

  /// The same for what `add` would make, which may have no name yet.
  Task<Result<void>> test_new(AccountId account, catalog::ConnectorKind kind, ConnectorPatch patch);
  /// The same for what `change` would make of a connector.
  Task<Result<void>> test_changed(AccountId account, ConnectorId id, ConnectorPatch patch);
  /// The host key that a server shows now which `add` would mount; sends it no secret.
  Task<Result<std::string>> shown_host_key(AccountId account, catalog::ConnectorKind kind,
                                           ConnectorPatch patch);

  /// Keeps a token that the provider gave for that of `connector`, which is as it was read at any
  /// time. Does nothing if the drive was removed or logged in to in another way since. `invalid`
  /// for what is no token; any other failure may be another one's later.
  Task<Result<void>> keep_token(catalog::Connector connector, std::string token);

  // For those who log in to a drive before it is stored.

  ConnectorType& type_of(catalog::ConnectorKind kind) const { return types_.of(kind); }
  /// A drive's have its secrets. `failed` for what is damaged.
  Result<ConnectorSettings> settings_of(const catalog::Connector& connector) const;
  /// What `add` would make, before it is checked as a whole.
  Result<ConnectorSettings> fresh(catalog::ConnectorKind kind, const ConnectorPatch& patch) const;
  struct Changed {
    ConnectorSettings before;
    ConnectorSettings after;
  };
  /// What `change` would make of those of a connector.
  Task<Result<Changed>> changed(const catalog::Connector& connector,
                                const ConnectorPatch& patch) const;
  /// As `add`, of settings that `fresh` gave.
  Task<Result<catalog::Connector>> store(AccountId account, catalog::ConnectorKind kind,
                                         ConnectorPatch patch, ConnectorSettings settings,
                                         Trial trial = Trial::none);

 private:
  using Change = std::optional<catalog::ConnectorChange>;
  using Changer = std::function<Task<Result<Change>>(const catalog::Connector&)>;
  /// Changes a connector as `changer` says of what is in the catalog; as it is where that says
  /// nothing. No other change of a secret that it replaces comes between; kConflict if others do
  /// not stop changing it.
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
