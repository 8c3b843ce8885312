#pragma once

#include <optional>
#include <string>
#include <vector>

#include "async/task.h"
#include "base/error.h"
#include "catalog/catalog.h"
#include "core/connectors/connector_labels.h"
#include "core/connectors/connector_settings.h"
#include "core/connectors/sealer.h"
#include "core/namespace/mounts.h"

namespace coffer::core {

/// What is said of a connector to an FTP or SFTP server; absent fields stay as they are, or take
/// their default.
struct ConnectorPatch : ConnectorLabels {
  std::optional<std::string> host;  ///< A name or address.
  std::optional<std::uint16_t> port;
  std::optional<std::string> user;
  std::optional<std::string> root;
  std::optional<TlsMode> tls;
  std::optional<std::string> host_key;
  std::optional<Credential> credential;
  std::optional<std::string> secret;      ///< A password, or a private key's text.
  std::optional<std::string> passphrase;  ///< Of the private key.
  bool trusts_first_key = false;          ///< Pin the host key that the server shows now.
};

/// Whether a connector is tried before it is stored: a login, and a look into its folder.
enum class Trial : std::uint8_t { none, before_storing };

/// Connectors of accounts: those to FTP and SFTP servers, and what goes for drives too. Safe from
/// any thread.
class ConnectorService {
 public:
  /// `by_administrator`: connectors may lead to this machine's and other private addresses.
  ConnectorService(catalog::Catalog& catalog, MountBackends& backends, const Sealer& sealer,
                   bool by_administrator)
      : catalog_(catalog), backends_(backends), sealer_(sealer), by_admin_(by_administrator) {}

  /// Of the kinds FTP and SFTP. `invalid` for what cannot be, `exists` for a name that is taken,
  /// and what a trial fails with. Without one, contacts the server only to learn its host key,
  /// where that is asked for.
  Task<Result<catalog::Connector>> add(AccountId account, catalog::ConnectorKind kind,
                                       ConnectorPatch patch, Trial trial = Trial::none);
  Task<Result<std::vector<catalog::Connector>>> list(AccountId account);
  /// By id, or else by name; `not_found` if there is none.
  Task<Result<catalog::Connector>> find(AccountId account, std::string id_or_name);
  /// `invalid` for a drive. Another host or port, or going without TLS, needs the secret again
  /// (`invalid`). A default port follows the TLS mode. Where it may lead is widened only by
  /// an administrator who states its host. Another host, port, user or root revokes the
  /// keys limited to the connector or to a folder in it. A trial is made of what changes more than
  /// labels.
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
  /// The host key that the SFTP server shows now which `add` would mount; sends it no secret.
  Task<Result<std::string>> shown_host_key(ConnectorPatch patch);

 private:
  /// A change, and what it would make where more than labels change.
  struct Prepared {
    catalog::ConnectorChange change;
    std::optional<catalog::Connector> candidate;
  };
  Result<ConnectorSettings> fresh(catalog::ConnectorKind kind, const ConnectorPatch& patch) const;
  Task<Result<catalog::NewConnector>> described(AccountId account, catalog::ConnectorKind kind,
                                                ConnectorPatch patch);
  Task<Result<Prepared>> prepare(const catalog::Connector& connector, ConnectorPatch patch);
  std::string sealed(const ConnectorPatch& patch) const;
  /// What works, unless that is not asked for.
  Task<Result<void>> try_candidate(const catalog::Connector& candidate, Trial trial);
  Task<Result<void>> pin(ConnectorSettings& settings, bool trusts_first_key);

  catalog::Catalog& catalog_;
  MountBackends& backends_;
  const Sealer& sealer_;
  const bool by_admin_;
};

}  // namespace coffer::core
