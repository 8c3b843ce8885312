#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "core/connectors/connector_type.h"
#include "mounts/remote_access.h"

namespace coffer::mounts {

/// The secret of a login to a remote server. The catalog stores it encrypted (core::Sealer).
struct ServerSecret {
  std::string secret;      ///< A password, or a private key's text.
  std::string passphrase;  ///< The passphrase of the private key; empty if there is none.
};
/// Parses the decrypted text of a secret. `failed` if the text is malformed.
Result<ServerSecret> secret_of(std::string_view text);

/// The common part of the connector types for FTP and SFTP servers.
class ServerType : public core::ConnectorType {
 public:
  /// `access` must outlive this object and its backends.
  ServerType(catalog::ConnectorKind kind, RemoteAccess& access)
      : ConnectorType(kind, core::ConnectorForm::server), access_(access) {}

  Result<core::ConnectorSettings> read(const catalog::Connector& connector,
                                       std::string_view secret) const override;
  core::StoredConnector stored(const core::ConnectorSettings& settings,
                               const core::ConnectorPatch& patch) const override;
  /// Applies the patch. A port that was the default for the old TLS mode becomes the default for
  /// the new TLS mode, unless the patch sets a port.
  Result<void> apply(core::ConnectorSettings& settings,
                     const core::ConnectorPatch& patch) const override;
  Result<void> check(const core::ConnectorSettings* before, const core::ConnectorSettings& settings,
                     const core::ConnectorPatch& patch) const override;
  bool states_secrets(const core::ConnectorSettings& settings,
                      const core::ConnectorPatch& patch) const override;
  bool states_addresses(const core::ConnectorSettings& settings,
                        const core::ConnectorPatch& patch) const override;
  bool is_another_place(const core::ConnectorSettings& before,
                        const core::ConnectorSettings& after) const override;
  Task<Result<void>> complete(AccountId account, const core::ConnectorSettings* before,
                              core::ConnectorSettings& settings,
                              const core::ConnectorPatch& patch) override;
  Result<std::shared_ptr<storage::Backend>> open(const catalog::Connector& connector,
                                                 std::string_view secret) override;

 protected:
  using Opened = Result<std::unique_ptr<storage::Backend>>;

  virtual std::uint16_t default_port(core::TlsMode tls) const = 0;
  virtual std::string_view scheme_of(const core::ConnectorSettings& settings) const = 0;
  /// `invalid` if a value is set that only other protocols use, such as a host key for FTP.
  virtual Result<void> check_own(const core::ConnectorSettings& settings) const = 0;
  virtual Opened open_server(const core::ConnectorSettings& settings, const ServerSecret& secret,
                             Pool& pool) = 0;

  template <class Options>
  Options options_for(const core::ConnectorSettings& settings) const {
    Options options;
    options.host = settings.host;
    options.port = settings.port;
    options.user = settings.user;
    options.root = settings.root;
    options.character_set = settings.character_set;
    options.may_connect = access_.policy_for(settings.may_be_private);
    options.deadlines.ending = access_.ending();
    return options;
  }
  RemoteAccess& access() { return access_; }

 private:
  RemoteAccess& access_;
};

/// True if the host or port differs. The old host key and secret must not be used then.
bool is_another_server(const core::ConnectorSettings& before, const core::ConnectorSettings& after);

}  // namespace coffer::mounts
