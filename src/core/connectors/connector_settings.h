#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/character_set.h"
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

/// The settings of a connector, apart from its ConnectorLabels. `parameters` contain the secrets of
/// a drive; no member contains a server's secret. Each kind of connector uses some of the members.
struct ConnectorSettings {
  /// The folder on the server or drive that is the connector's top folder. If empty: the server's
  /// folder after the login, or the top of the drive. For S3 the root begins with a bucket's name.
  std::string root;
  bool may_be_private = false;    ///< True if an administrator permitted private addresses.
  bool is_given = false;          ///< True if an administrator made it, with a secret of theirs.
  bool is_set_read_only = false;  ///< True if an administrator made it read-only.

  // Members for servers.
  std::string host;
  std::uint16_t port = 0;
  std::string user;
  TlsMode tls = TlsMode::none;                       ///< Only for FTP.
  Credential credential = Credential::password;      ///< `private_key` is only for SFTP.
  CharacterSet character_set = CharacterSet::utf_8;  ///< Of the names on the server.
  std::string host_key;  ///< Only for SFTP: the key's fingerprint, `SHA256:` and unpadded base64.

  // Members for drives.
  std::string provider;  ///< rclone's name of the provider, such as `webdav` or `s3`.
  DriveParameters parameters = {};
  /// A random value. A patch that changes the settings also replaces this value, so that the drive
  /// is opened again. A renewed token does not replace it.
  std::string revision = {};
  /// A random value. A patch that changes a secret, an address or `client_id` also replaces this
  /// value. A token that is renewed for the former value is not stored.
  std::string login = {};
};

/// A patch for the labels of a connector. An absent field stays unchanged, or gets its default.
struct ConnectorLabels {
  std::optional<std::string> name;  ///< A valid Name, unique in the account.
  std::optional<std::string> description;
  std::optional<bool> read_only;
  std::optional<catalog::Asker> asker = {};  ///< The caller; absent for the command line.
};

/// The form of the settings: a `server` has host and user, a `drive` has provider and parameters.
enum class ConnectorForm : std::uint8_t { server, drive };

/// A patch for a connector. Absent fields stay unchanged; a new connector gets their defaults.
struct ConnectorPatch : ConnectorLabels {
  std::optional<std::string> root;

  // Members for servers.
  std::optional<std::string> host;  ///< A host name or an IP address.
  std::optional<std::uint16_t> port;
  std::optional<std::string> user;
  std::optional<TlsMode> tls;
  std::optional<CharacterSet> character_set;
  std::optional<std::string> host_key;
  std::optional<Credential> credential;
  std::optional<std::string> secret;      ///< A password, or a private key's text.
  std::optional<std::string> passphrase;  ///< For the private key.
  bool trusts_first_key = false;          ///< True to trust the host key that the server has now.

  // Members for drives.
  std::optional<std::string> provider;
  /// Each value replaces the parameter with this name. An empty value removes the parameter.
  DriveParameters parameters = {};
};

/// Says whether a connector is tested (ConnectorService::test) before it is added or changed. See
/// ConnectorService::add and `change` for the exceptions.
enum class Trial : std::uint8_t { none, before_storing };

/// Checks that the patch has only members for this form; otherwise `invalid`.
Result<void> check_form(ConnectorForm form, const ConnectorPatch& patch);

/// Returns true if the patch has labels alone.
bool has_labels_only(const ConnectorPatch& patch);

/// Checks the name and the description; `invalid` if one of them is bad.
Result<void> check(const ConnectorLabels& labels);
/// Checks that the root is a valid path; otherwise `invalid`. Does not contact the server.
Result<void> check_root(std::string_view root);
/// Returns true if a root is another one, or lies below it.
bool is_root_within(std::string_view root, std::string_view other);

/// Returns a new connector with these labels; `invalid` if a label is bad or the name is missing.
Result<catalog::NewConnector> new_connector(AccountId account, catalog::ConnectorKind kind,
                                            ConnectorLabels labels);
/// Returns a connector without an id, so that it can be tested before it is created.
catalog::Connector candidate_of(const catalog::NewConnector& wanted);
/// Returns a catalog change that sets these labels.
catalog::ConnectorChange change_of(ConnectorLabels labels);

}  // namespace coffer::core
