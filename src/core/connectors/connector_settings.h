#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/enum_words.h"
#include "base/error.h"
#include "catalog/connectors.h"

namespace coffer::core {

/// The TLS mode of an FTP server: no TLS, TLS after AUTH TLS (RFC 4217), or TLS from the start.
enum class TlsMode : std::uint8_t { none, explicit_, implicit };
constexpr auto words_of(TlsMode) {
  using enum TlsMode;
  return enum_words<TlsMode>({{none, "none"}, {explicit_, "explicit"}, {implicit, "implicit"}});
}

/// The kind of a server's secret.
enum class Credential : std::uint8_t { password, private_key };

/// The parameters of a drive, by rclone's names for them. Any value may be a secret.
using DriveParameters = std::map<std::string, std::string>;

/// Returns the value of a parameter; empty if it is missing.
std::string value_in(const DriveParameters& parameters, const std::string& name);

/// The settings of a connector, without its labels and without the secret of a server. Each kind of
/// connector uses some of the members.
struct ConnectorSettings {
  /// A folder on the server or drive. If empty: the server's folder after the login, or the top of
  /// the drive. In S3 the root begins with a bucket.
  std::string root;
  bool may_be_private = false;  ///< An administrator gave the address, so it may be private.

  // Members for servers.
  std::string host;
  std::uint16_t port = 0;
  std::string user;
  TlsMode tls = TlsMode::none;                   ///< Only for FTP.
  Credential credential = Credential::password;  ///< A private key only for SFTP.
  std::string host_key;  ///< Only for SFTP: the key's fingerprint, `SHA256:` and unpadded base64.

  // Members for drives.
  std::string provider;  ///< The provider's type: `webdav`, `s3`, `drive`.
  DriveParameters parameters = {};
  /// A random value that is replaced whenever the settings change, except when the provider renews
  /// the token.
  std::string revision = {};
  /// A random value that is replaced whenever a patch changes a secret, an address or `client_id`.
  /// A renewed token is not stored if `login` has changed since the old token was read.
  std::string login = {};
};

/// A patch for a connector's labels. Absent fields stay unchanged; a new connector gets defaults.
struct ConnectorLabels {
  std::optional<std::string> name;  ///< A valid Name, unique in the account.
  std::optional<std::string> description;
  std::optional<bool> read_only;
  std::optional<catalog::Asker> asker = {};  ///< Absent for the command line.
};

/// The form of the settings: a `server` has host and user, a `drive` has provider and parameters.
enum class ConnectorForm : std::uint8_t { server, drive };

/// A patch for a connector. Absent fields stay unchanged; a new connector gets their defaults.
struct ConnectorPatch : ConnectorLabels {
  std::optional<std::string> root;

  // Members for servers.
  std::optional<std::string> host;  ///< A name or address.
  std::optional<std::uint16_t> port;
  std::optional<std::string> user;
  std::optional<TlsMode> tls;
  std::optional<std::string> host_key;
  std::optional<Credential> credential;
  std::optional<std::string> secret;      ///< A password, or a private key's text.
  std::optional<std::string> passphrase;  ///< For the private key.
  bool trusts_first_key = false;          ///< True to store the server's present host key.

  // Members for drives.
  std::optional<std::string> provider;
  /// Each value replaces the parameter of its name. An empty value removes the parameter.
  DriveParameters parameters = {};
};

/// The trial of a connector: a login, and a listing of its folder. ConnectorService::add and
/// `change` describe when it takes place.
enum class Trial : std::uint8_t { none, before_storing };

/// `invalid` if the patch has members that the form does not have.
Result<void> check_form(ConnectorForm form, const ConnectorPatch& patch);

/// `invalid` if the name or the description is bad.
Result<void> check(const ConnectorLabels& labels);
/// `invalid` unless the root can be the path of a folder on a server or drive.
Result<void> check_root(std::string_view root);

/// Returns a new connector with these labels; `invalid` if they are bad or the name is missing.
Result<catalog::NewConnector> new_connector(AccountId account, catalog::ConnectorKind kind,
                                            ConnectorLabels labels);
/// Returns a connector without an id, for a trial before the connector is created.
catalog::Connector candidate_of(const catalog::NewConnector& wanted);
/// Returns a change of these labels.
catalog::ConnectorChange change_of(ConnectorLabels labels);

}  // namespace coffer::core
