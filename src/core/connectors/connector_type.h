#pragma once

#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "async/task.h"
#include "base/error.h"
#include "catalog/connectors.h"
#include "core/connectors/connector_settings.h"
#include "storage/backend.h"

namespace coffer::core {

/// A connector as the catalog keeps it.
struct StoredConnector {
  std::string settings;
  std::string secret;  ///< To be sealed.
  std::string target;  ///< For people: `sftp://user@host:port/folder`.
};

/// The rules for connectors of one kind: their settings, and how their backends are opened. The
/// rules for all kinds are in ConnectorService. Safe from any thread.
class ConnectorType {
 public:
  ConnectorType(catalog::ConnectorKind kind, ConnectorForm form) : kind_(kind), form_(form) {}
  virtual ~ConnectorType() = default;
  ConnectorType(const ConnectorType&) = delete;
  ConnectorType& operator=(const ConnectorType&) = delete;

  catalog::ConnectorKind kind() const { return kind_; }
  ConnectorForm form() const { return form_; }
  bool is_drive() const { return form_ == ConnectorForm::drive; }

  /// True if the backend renews the secret, which holds a part of the settings then: such a
  /// connector is tried after it is stored, and no change of its secret undoes another one.
  virtual bool renews_secret() const { return false; }
  /// True if servers show a key (SSH) that a connector has to trust.
  virtual bool has_host_key() const { return false; }

  // Connectors as the catalog keeps them.

  /// The settings of a connector; `failed` if they are damaged. The secret is empty unless the
  /// backend renews it.
  virtual Result<ConnectorSettings> read(const catalog::Connector& connector,
                                         std::string_view secret) const = 0;
  /// The settings as the catalog keeps them. Unless the backend renews it, the secret is that of
  /// the patch.
  virtual StoredConnector stored(const ConnectorSettings& settings,
                                 const ConnectorPatch& patch) const = 0;
  /// The parameters by name; nullopt for one that is secret. Empty for servers.
  virtual std::map<std::string, std::optional<std::string>> shown_parameters(
      const ConnectorSettings& /*settings*/) const {
    return {};
  }

  // The rules. Only `complete` contacts a server.

  /// Applies the patch; `invalid` for bad values.
  virtual Result<void> apply(ConnectorSettings& settings, const ConnectorPatch& patch) const = 0;
  /// Checks the settings that the patch made of `before`, or of none; `invalid` if they are not
  /// complete. `invalid` also if a secret would go to another server, or without the encryption
  /// that it was given for, and the patch does not state it again.
  virtual Result<void> check(const ConnectorSettings* before, const ConnectorSettings& settings,
                             const ConnectorPatch& patch) const = 0;
  /// True if the patch states all addresses that the settings lead to.
  virtual bool states_addresses(const ConnectorSettings& settings,
                                const ConnectorPatch& patch) const = 0;
  /// True if a path in the connector means another place than before.
  virtual bool is_another_place(const ConnectorSettings& before,
                                const ConnectorSettings& after) const = 0;
  /// Sets what follows from a change of `before`, or for a new connector of the account. Contacts
  /// the server only if the patch asks for that.
  virtual Task<Result<void>> complete(AccountId account, const ConnectorSettings* before,
                                      ConnectorSettings& settings, const ConnectorPatch& patch) = 0;
  /// Sets the token that was renewed for the login of `before`; false if the settings have another
  /// login by now, or the token already.
  virtual bool take_token(ConnectorSettings& /*settings*/, const ConnectorSettings& /*before*/,
                          const std::string& /*token*/) const {
    return false;
  }

  /// The fingerprint of the host key that the server shows now; sends it no secret. `invalid` for
  /// types without one. Waits on the threads of the account.
  virtual Task<Result<std::string>> host_key(AccountId /*account*/,
                                             const ConnectorSettings& /*settings*/) {
    co_return fail(ErrorCode::invalid, "A host key is for SFTP.");
  }
  /// A backend of the connector, which connects to nothing before it is used. `invalid` for
  /// settings that are bad, or lead to an address that they may not.
  virtual Result<std::shared_ptr<storage::Backend>> open(const catalog::Connector& connector,
                                                         std::string_view secret) = 0;
  /// Called with each connector that is opened, as the catalog has it then.
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

  ConnectorType& of(catalog::ConnectorKind kind) const {
    for (const auto& type : types_) {
      if (type->kind() == kind) return *type;
    }
    throw std::logic_error("a kind of connector is missing in the table");
  }

 private:
  const std::vector<std::unique_ptr<ConnectorType>> types_;
};

}  // namespace coffer::core
