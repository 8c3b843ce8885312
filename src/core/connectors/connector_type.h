#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "async/task.h"
#include "base/error.h"
#include "catalog/connectors.h"
#include "core/connectors/connector_patch.h"
#include "core/connectors/connector_settings.h"
#include "storage/backend.h"

namespace coffer::core {

/// A connector as the catalog keeps it.
struct StoredConnector {
  std::string settings;
  std::string secret;  ///< To be sealed.
  std::string target;  ///< For people: `sftp://user@host:port/folder`.
};

/// What sets the connectors of one kind apart: their settings, and the backends that they are.
/// What goes for all of them is ConnectorService's. Safe from any thread.
class ConnectorType {
 public:
  ConnectorType(catalog::ConnectorKind kind, ConnectorForm form) : kind_(kind), form_(form) {}
  virtual ~ConnectorType() = default;
  ConnectorType(const ConnectorType&) = delete;
  ConnectorType& operator=(const ConnectorType&) = delete;

  catalog::ConnectorKind kind() const { return kind_; }
  ConnectorForm form() const { return form_; }
  bool is_drive() const { return form_ == ConnectorForm::drive; }

  /// True where the backend renews the secret, which has a part of the settings then: such a
  /// connector is tried when it is stored, and no change of its secret undoes another one.
  virtual bool renews_secret() const { return false; }
  /// True where servers show a key (SSH) that a connector has to trust.
  virtual bool has_host_key() const { return false; }

  // As the catalog keeps a connector.

  /// `failed` for what is damaged. The secret is empty unless the backend renews it.
  virtual Result<ConnectorSettings> read(const catalog::Connector& connector,
                                         std::string_view secret) const = 0;
  /// The secret is what the patch says where the backend does not renew it.
  virtual StoredConnector stored(const ConnectorSettings& settings,
                                 const ConnectorPatch& patch) const = 0;
  /// The parameters by name; nothing for one that is secret. Empty for servers.
  virtual std::map<std::string, std::optional<std::string>> shown_parameters(
      const ConnectorSettings& settings) const;

  // The rules. None of these contacts a server, but `settle`.

  /// Takes over what is said; `invalid` for what cannot be.
  virtual Result<void> apply(ConnectorSettings& settings, const ConnectorPatch& patch) const = 0;
  /// `invalid` for settings that are not whole, which were made of `before`, or without it of none,
  /// by the patch. A secret goes where it was given for, under the protection that it was given
  /// for: `invalid` as well where it has to be said again.
  virtual Result<void> check(const ConnectorSettings* before, const ConnectorSettings& settings,
                             const ConnectorPatch& patch) const = 0;
  /// True if the patch states all addresses that the settings lead to.
  virtual bool states_addresses(const ConnectorSettings& settings,
                                const ConnectorPatch& patch) const = 0;
  /// True if a path in the connector means something else than before.
  virtual bool is_another_place(const ConnectorSettings& before,
                                const ConnectorSettings& after) const = 0;
  /// What else changes with that, from `before` or, without it, of a new one of the account. Only
  /// where the patch asks for that, contacts the server.
  virtual Task<Result<void>> settle(AccountId account, const ConnectorSettings* before,
                                    ConnectorSettings& settings, const ConnectorPatch& patch) = 0;
  /// Takes the token that was renewed from what `before` had; false where the settings have another
  /// login by now, or the token already.
  virtual bool take_token(ConnectorSettings& settings, const ConnectorSettings& before,
                          const std::string& token) const;

  /// The fingerprint of the host key that the server shows now; sends it no secret. `invalid` for
  /// types without one. The account is the one that asks, and waits among its own work.
  virtual Task<Result<std::string>> host_key(AccountId account, const ConnectorSettings& settings);
  /// A backend of the connector, which connects to nothing before it is used. `invalid` for what
  /// cannot be, or may not lead where it does.
  virtual Result<std::shared_ptr<storage::Backend>> open(const catalog::Connector& connector,
                                                         std::string_view secret) = 0;
  /// To be called with each connector that is asked for, as the catalog has it then.
  virtual void note_read(const catalog::Connector&) {}

 private:
  const catalog::ConnectorKind kind_;
  const ConnectorForm form_;
};

/// One of each kind.
class ConnectorTypes {
 public:
  explicit ConnectorTypes(std::vector<std::unique_ptr<ConnectorType>> types)
      : types_(std::move(types)) {}

  ConnectorType& of(catalog::ConnectorKind kind) const;

 private:
  const std::vector<std::unique_ptr<ConnectorType>> types_;
};

}  // namespace coffer::core
