#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "catalog/connectors.h"
#include "core/connectors/connector_settings.h"

namespace coffer::core {

/// What is said of any connector; absent fields stay as they are, or take their default.
struct ConnectorLabels {
  std::optional<std::string> name;  ///< A name that an item could have; unique for the account.
  std::optional<std::string> description;
  std::optional<bool> read_only;
  std::optional<catalog::Asker> asker = {};  ///< Nothing: the command line.
};

/// What a type's connectors are described by: host and user, or provider and parameters.
enum class ConnectorForm : std::uint8_t { server, drive };

/// What is said of a connector; absent fields stay as they are, or take their default.
struct ConnectorPatch : ConnectorLabels {
  std::optional<std::string> root;

  // Of a server.
  std::optional<std::string> host;  ///< A name or address.
  std::optional<std::uint16_t> port;
  std::optional<std::string> user;
  std::optional<TlsMode> tls;
  std::optional<std::string> host_key;
  std::optional<Credential> credential;
  std::optional<std::string> secret;      ///< A password, or a private key's text.
  std::optional<std::string> passphrase;  ///< Of the private key.
  bool trusts_first_key = false;          ///< Pin the host key that the server shows now.

  // Of a drive.
  std::optional<std::string> provider;
  DriveParameters parameters = {};  ///< Each replaces the one of its name; an empty one removes it.
};

/// Whether a connector is tried before it is stored: a login, and a look into its folder.
enum class Trial : std::uint8_t { none, before_storing };

/// `invalid` where it says what the form does not have.
Result<void> check_form(ConnectorForm form, const ConnectorPatch& patch);

/// `invalid` for a name or description that cannot be.
Result<void> check(const ConnectorLabels& labels);
/// `invalid` for what is no path of a folder on a server.
Result<void> check_root(std::string_view root);

/// The labels of a connector that is to be made; `invalid` if they cannot be or the name is
/// missing.
Result<catalog::NewConnector> new_connector(AccountId account, catalog::ConnectorKind kind,
                                            ConnectorLabels labels);
/// What is to be made, to be tried before it is: without an id.
catalog::Connector candidate_of(const catalog::NewConnector& wanted);
/// The labels to change.
catalog::ConnectorChange change_of(ConnectorLabels labels);

}  // namespace coffer::core
