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

/// Adds, changes and tests the connectors of accounts. Applies the rules that are the same for all
/// kinds; ConnectorType has the rules of one kind. Safe from any thread.
class ConnectorService {
 public:
  /// If `by_administrator`, new connectors may lead to this machine and to other private addresses.
  ConnectorService(catalog::Catalog& catalog, MountBackends& backends, const ConnectorTypes& types,
                   const Sealer& sealer, bool by_administrator)
      : catalog_(catalog),
        backends_(backends),
        types_(types),
        sealer_(sealer),
        by_admin_(by_administrator) {}

  /// Adds a connector. `invalid` if the settings are bad; `exists` if the name is taken. With a
  /// trial, also calls `test`; if it fails, returns its error. Without a trial, contacts the
  /// server only for ConnectorPatch::trusts_first_key. A drive is stored before its trial, because
  /// the trial may renew the stored token; if the trial fails, the drive is removed again.
  Task<Result<catalog::Connector>> add(AccountId account, catalog::ConnectorKind kind,
                                       ConnectorPatch patch, Trial trial = Trial::none);
  Task<Result<std::vector<catalog::Connector>>> list(AccountId account);
  /// Returns a connector; `not_found` if the id is unknown or belongs to another account.
  Task<Result<catalog::Connector>> get(AccountId account, ConnectorId id);
  /// Changes a connector. The rules:
  /// - `invalid` if the patch has members that this kind lacks, or another provider for a drive.
  /// - `invalid` if the patch changes the host, the port or an address of a drive, or disables TLS,
  ///   but does not contain the secrets again.
  /// - A port that is the default of the old TLS mode becomes the default of the new TLS mode,
  ///   unless the patch contains a port.
  /// - The connector leads to another place after a change of its host, port, user or root, of an
  ///   address or another parameter that is not secret, or of the account that a secret names (see
  ///   DriveProviders::account_of). Most secrets, and all tokens, name no account.
  /// - If the connector leads to another place, revokes the keys that are limited to the connector
  ///   or to a folder in it.
  /// - An administrator's patch that contains the host (of a drive: all addresses) permits private
  ///   addresses. A user's change that leads to another place forbids them again.
  /// - A user cannot undo that an administrator made a connector read-only: `forbidden`. Of one
  ///   that an administrator made, a root outside of the present one needs the secrets again.
  /// - With a trial, the changed connector is tested before the change is stored. Changes of labels
  ///   only, and all changes of drives, are stored without a trial.
  Task<Result<catalog::Connector>> change(AccountId account, ConnectorId id, ConnectorPatch patch,
                                          Trial trial = Trial::none);
  /// Removes the connector; the files on its server stay. Takes effect with the next request.
  /// `asker` is the caller, whose credential the catalog checks again; absent for the command line.
  Task<Result<void>> remove(AccountId account, ConnectorId id,
                            std::optional<catalog::Asker> asker = {});
  /// Tests a connector: logs in, and lists the connector's top folder. Returns the first error.
  Task<Result<void>> test(const catalog::Connector& connector);

  /// Tests the connector that `add` would create, without storing it. The patch needs no name.
  Task<Result<void>> test_new(AccountId account, catalog::ConnectorKind kind, ConnectorPatch patch);
  /// Tests the connector that `change` would make, without storing it.
  Task<Result<void>> test_changed(AccountId account, ConnectorId id, ConnectorPatch patch);
  /// Returns the present host key of the patch's SFTP server. Sends no secret to the server.
  Task<Result<std::string>> shown_host_key(AccountId account, catalog::ConnectorKind kind,
                                           ConnectorPatch patch);

  /// Stores the new token of a drive after the provider has renewed the old token. `connector` is
  /// the drive's row with the old token; the row may be out of date. Does nothing if the drive was
  /// removed, or if its present ConnectorSettings::login differs from the login in `connector`.
  /// `invalid` if `token` is not a token; after any other error a retry may succeed.
  Task<Result<void>> keep_token(catalog::Connector connector, std::string token);

  // The following functions are for AccountConnectors and DriveLogins. They store nothing.

  ConnectorType& type_of(catalog::ConnectorKind kind) const { return types_.of(kind); }
  /// Returns the settings of a connector. A drive's settings include its secrets. `failed` if the
  /// stored settings or secrets are damaged.
  Result<ConnectorSettings> settings_of(const catalog::Connector& connector) const;
  /// Returns the settings that a new connector would get from this patch. They may be incomplete.
  /// `invalid` if a value in the patch is bad.
  Result<ConnectorSettings> fresh(catalog::ConnectorKind kind, const ConnectorPatch& patch) const;
  struct Changed {
    ConnectorSettings before;
    ConnectorSettings after;
  };
  /// Returns the connector's settings now, and after a `change` with this patch.
  Task<Result<Changed>> changed(const catalog::Connector& connector,
                                const ConnectorPatch& patch) const;

 private:
  using Change = std::optional<catalog::ConnectorChange>;
  using Changer = std::function<Task<Result<Change>>(const catalog::Connector&)>;
  /// Calls `changer` with the connector's present row in the catalog, and stores the change that
  /// `changer` returns (nothing for nullopt). If the secret was changed concurrently, repeats this
  /// with the new row. Fails with catalog::kConflict after eight tries.
  Task<Result<catalog::Connector>> update(AccountId account, ConnectorId id, Changer changer);
  Task<Result<catalog::NewConnector>> described(AccountId account, catalog::ConnectorKind kind,
                                                const ConnectorPatch& patch,
                                                ConnectorSettings settings) const;
  Task<Result<catalog::Connector>> keep_if_it_works(catalog::Connector made);
  Result<void> keep_given(const ConnectorType& type, const ConnectorSettings& before,
                          ConnectorSettings& after, const ConnectorPatch& patch) const;
  bool may_be_private(const ConnectorType& type, const ConnectorSettings& before,
                      const ConnectorSettings& after, const ConnectorPatch& patch) const;
  Task<Result<catalog::ConnectorChange>> prepare(const catalog::Connector& connector,
                                                 const ConnectorPatch& patch) const;
  catalog::Connector candidate(const catalog::Connector& connector,
                               const catalog::ConnectorChange& change) const;
  /// `settings` are those of the first try, if this is another one.
  Task<Result<Change>> tried(const catalog::Connector& connector, const ConnectorPatch& patch,
                             Trial trial, std::optional<std::string>& settings);
  Task<Result<Change>> with_token(const catalog::Connector& now, const catalog::Connector& before,
                                  const std::string& token) const;

  catalog::Catalog& catalog_;
  MountBackends& backends_;
  const ConnectorTypes& types_;
  const Sealer& sealer_;
  const bool by_admin_;
};

}  // namespace coffer::core
