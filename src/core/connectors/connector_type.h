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

/// The texts that the catalog stores of a connector. Each kind has its own format.
struct StoredConnector {
  std::string settings;
  std::string secret;  ///< In plain text; the caller must seal it.
  std::string target;  ///< For people: `sftp://user@host:port/folder`.
};

/// The rules for connectors of one kind: their settings, and how their backends are opened.
/// ConnectorService has the rules for all kinds. Safe from any thread.
class ConnectorType {
 public:
  ConnectorType(catalog::ConnectorKind kind, ConnectorForm form) : kind_(kind), form_(form) {}
  virtual ~ConnectorType() = default;
  ConnectorType(const ConnectorType&) = delete;
  ConnectorType& operator=(const ConnectorType&) = delete;

  catalog::ConnectorKind kind() const { return kind_; }
  ConnectorForm form() const { return form_; }
  bool is_drive() const { return form_ == ConnectorForm::drive; }

  /// Returns true if backends of this kind renew the secret, as drives renew their token. For such
  /// a kind:
  /// - The secret contains a part of the settings.
  /// - A new connector is stored before its trial.
  /// - Concurrent changes of a connector's secret never overwrite each other.
  virtual bool renews_secret() const { return false; }
  /// Returns true if servers of this kind have an SSH host key. A connector then stores this key.
  virtual bool has_host_key() const { return false; }

  // These functions convert connectors from and to the form in which the catalog stores them.

  /// Returns the settings of a connector; `failed` if they are damaged. `secret` (in plain text) is
  /// needed only if backends of this kind renew the secret.
  virtual Result<ConnectorSettings> read(const catalog::Connector& connector,
                                         std::string_view secret) const = 0;
  /// Returns the texts to store for these settings. Takes the secret from `settings` if backends of
  /// this kind renew the secret, otherwise from `patch`.
  virtual StoredConnector stored(const ConnectorSettings& settings,
                                 const ConnectorPatch& patch) const = 0;
  /// Returns the parameters of a drive by their names, with nullopt instead of each secret value.
  /// Returns an empty map for servers.
  virtual std::map<std::string, std::optional<std::string>> shown_parameters(
      const ConnectorSettings& /*settings*/) const {
    return {};
  }

  // These functions apply the kind's rules. Only `complete` and `host_key` contact a server.

  /// Applies the patch to the settings; `invalid` if a value is bad.
  virtual Result<void> apply(ConnectorSettings& settings, const ConnectorPatch& patch) const = 0;
  /// Checks settings after `apply`. `before` has the former settings; null for a new connector.
  /// `invalid` if the settings are bad or incomplete. Also `invalid` if a secret that is not in the
  /// patch would be sent to another server than before, or without the TLS used so far.
  virtual Result<void> check(const ConnectorSettings* before, const ConnectorSettings& settings,
                             const ConnectorPatch& patch) const = 0;
  /// Returns true if the patch contains all addresses that the settings lead to.
  virtual bool states_addresses(const ConnectorSettings& settings,
                                const ConnectorPatch& patch) const = 0;
  /// Returns true if the patch contains all secrets of the settings, also if they have none.
  virtual bool states_secrets(const ConnectorSettings& settings,
                              const ConnectorPatch& patch) const = 0;
  /// Returns true if the settings lead to another server, user or folder than before. A path in the
  /// connector may then mean another item.
  virtual bool is_another_place(const ConnectorSettings& before,
                                const ConnectorSettings& after) const = 0;
  /// Sets the values that Coffer chooses, such as ConnectorSettings::revision. `before` is null for
  /// a new connector. `invalid` if an SFTP server's host key is missing. Contacts the server only
  /// for ConnectorPatch::trusts_first_key, to get the host key.
  virtual Task<Result<void>> complete(AccountId account, const ConnectorSettings* before,
                                      ConnectorSettings& settings, const ConnectorPatch& patch) = 0;
  /// Puts `token`, with which the provider replaced the token of the settings `before`, into the
  /// present `settings`, and returns true. Changes nothing and returns false if `settings` have
  /// another ConnectorSettings::login than `before`, no token, or the new token already.
  virtual bool take_token(ConnectorSettings& /*settings*/, const ConnectorSettings& /*before*/,
                          const std::string& /*token*/) const {
    return false;
  }

  /// Returns the fingerprint of the server's present host key. Sends no secret to the server.
  /// `invalid` for kinds without host keys. Runs in the account's pool for remote servers.
  virtual Task<Result<std::string>> host_key(AccountId /*account*/,
                                             const ConnectorSettings& /*settings*/) {
    co_return fail(ErrorCode::invalid, "A host key is for SFTP.");
  }
  /// Returns a backend of the connector. The backend connects only when it is used. `invalid` if
  /// the settings are bad, or lead to an address that is not allowed.
  virtual Result<std::shared_ptr<storage::Backend>> open(const catalog::Connector& connector,
                                                         std::string_view secret) = 0;
  /// Called with a connector's present row each time it is used. Drives keep the sealed secret.
  virtual void note_read(const catalog::Connector&) {}

 private:
  const catalog::ConnectorKind kind_;
  const ConnectorForm form_;
};

/// The connector types, one for each kind.
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
