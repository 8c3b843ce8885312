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

/// The encryption of an FTP connection: none, after AUTH TLS (RFC 4217), or from the start.
enum class TlsMode : std::uint8_t { none, explicit_, implicit };
constexpr auto words_of(TlsMode) {
  using enum TlsMode;
  return enum_words<TlsMode>({{none, "none"}, {explicit_, "explicit"}, {implicit, "implicit"}});
}

/// The kind of a server's secret.
enum class Credential : std::uint8_t { password, private_key };

/// The parameters of a drive by the names that rclone gives them. Any value may be a secret.
using DriveParameters = std::map<std::string, std::string>;

/// The value of a parameter; empty if there is none.
std::string value_in(const DriveParameters& parameters, const std::string& name);

/// The settings of a connector, without its labels and the secret of a server. Each type uses a
/// part of them.
struct ConnectorSettings {
  /// A folder on the server or drive; empty for the folder after the login, or the drive's top. In
  /// S3 it begins with a bucket.
  std::string root;
  bool may_be_private = false;  ///< An administrator gave its address: it may be a private one.

  // Of a server.
  std::string host;
  std::uint16_t port = 0;
  std::string user;
  TlsMode tls = TlsMode::none;                   ///< FTP alone.
  Credential credential = Credential::password;  ///< A private key for SFTP alone.
  std::string host_key;  ///< SFTP: `SHA256:` and base64 without padding, as OpenSSH prints it.

  // Of a drive.
  std::string provider;  ///< Its type: `webdav`, `s3`, `drive`.
  DriveParameters parameters = {};
  /// Random; changes with the settings, but not with a token that was renewed.
  std::string revision = {};
  /// Random; changes with the settings that the token belongs to, and with the token if its owner
  /// changes that.
  std::string login = {};
};

/// A patch for the labels of a connector; absent fields stay as they are, or take their default.
struct ConnectorLabels {
  std::optional<std::string> name;  ///< A name that an item could have; unique for the account.
  std::optional<std::string> description;
  std::optional<bool> read_only;
  std::optional<catalog::Asker> asker = {};  ///< Absent: the command line.
};

/// The way to describe connectors of a type: by host and user, or by provider and parameters.
enum class ConnectorForm : std::uint8_t { server, drive };

/// A patch for a connector; absent fields stay as they are, or take their default.
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

/// A trial of a connector before it is stored: a login, and a listing of its folder.
enum class Trial : std::uint8_t { none, before_storing };

/// `invalid` for members that the form does not have.
Result<void> check_form(ConnectorForm form, const ConnectorPatch& patch);

/// `invalid` for a bad name or description.
Result<void> check(const ConnectorLabels& labels);
/// `invalid` unless it can be the path of a folder on a server.
Result<void> check_root(std::string_view root);

/// A new connector with these labels; `invalid` if they are bad or the name is missing.
Result<catalog::NewConnector> new_connector(AccountId account, catalog::ConnectorKind kind,
                                            ConnectorLabels labels);
/// The connector to try before it is made: without an id.
catalog::Connector candidate_of(const catalog::NewConnector& wanted);
/// A change of these labels.
catalog::ConnectorChange change_of(ConnectorLabels labels);

}  // namespace coffer::core
