#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>

#include "api/v2/route.h"
#include "api/v2/values.h"
#include "base/character_set.h"
#include "core/connectors/account_connectors.h"

/// The JSON of connectors in requests and answers.
namespace coffer::api::v2 {

struct ServerPart {
  static constexpr std::string_view kSchema = "ConnectorServer";
  FIELD(std::string, host, "The server's name or address.", R"("files.example.org")");
  FIELD(std::uint64_t, port, "The port.", "22");
  FIELD(std::string, user, "The user to log in as.", R"("ann")");
  FIELD(std::string, root, "The folder on the server; empty for the folder after the login.",
        R"("")");
  FIELD(core::TlsMode, tls, "The encryption of FTP.", R"("none")");
  FIELD(CharacterSet, characterSet, "The character set of the names on the server.", R"("utf-8")");
  FIELD(std::string, hostKey, "The trusted host key of the SFTP server; empty for FTP.",
        R"("SHA256:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA")");
  FIELD(bool, usesPrivateKey, "True if the login uses a private key.", "false");
};

struct DrivePart {
  static constexpr std::string_view kSchema = "ConnectorDrive";
  FIELD(std::string, provider, "The `type` of a provider of GET /api/v2/connectors/providers.",
        R"("webdav")");
  FIELD(std::string, root, "The folder on the drive; empty for its top.", R"("")");
  FIELD(AnyObject, parameters, "The parameters by name; a secret parameter is null.",
        R"({"url":"https://dav.example.org","pass":null})");
};

struct HealthPart {
  static constexpr std::string_view kSchema = "ConnectorHealth";
  FIELD(core::ServerHealth::State, state, "unknown if the connector was not used recently.",
        R"("works")");
  FIELD(std::string, message, "The failure, for people; empty if there is none.", R"("")");
  FIELD(std::optional<Timestamp>, lookedAt,
        "The time of the last use, UTC; null if the connector was not used recently.", "null");
};

struct ConnectorDetails {
  static constexpr std::string_view kSchema = "Connector";
  FIELD(std::string, id,
        "Identifier. The connector's path begins with __conn_ and this identifier.",
        R"("5f0c2a9d1b7e4c385f0c2a9d1b7e4c38")");
  FIELD(catalog::ConnectorKind, kind, "The kind of server or drive.", R"("sftp")");
  FIELD(std::string, name, "The name, unique within the account.", R"("NAS")");
  FIELD(std::string, description, "A description for people.", R"("")");
  FIELD(std::string, target, "The address, for people.", R"("sftp://ann@files.example.org:22/")");
  FIELD(bool, readOnly, "True if nothing can be changed through the connector.", "false");
  FIELD(bool, mayBePrivate,
        "True if an administrator allowed the connector to lead to private addresses.", "false");
  FIELD(Timestamp, createdAt, "UTC.", R"("2026-11-21T06:14:09")");
  FIELD(std::optional<ServerPart>, server, "The settings of a server; null for a drive.", "null");
  FIELD(
      std::optional<DrivePart>, drive,
      "The settings of a drive; null for a server, or if the drive's secrets cannot be decrypted.",
      "null");
  FIELD(HealthPart, health, "The result of the last use. The request contacts no server.",
        R"({"state":"unknown","message":"","lookedAt":null})");
};

/// A connector of any account, as administrators see it.
struct ManagedConnector : ConnectorDetails {
  static constexpr std::string_view kSchema = "ManagedConnector";
  FIELD(std::string, userName, "The account that owns it.", R"("ann")");
};

/// The path to which the provider of a drive redirects the browser after a login. The query of this
/// redirect is secret and not logged, because it contains the login's code.
inline constexpr std::string_view kLoginReturnPath = "/settings/connectors/authorized";

void show(const core::ConnectorView& view, ConnectorDetails& out);

using RemoteFolder = BoundedText<0, 4096>;
using HostName = BoundedText<1, 253>;
using ServerUser = BoundedText<1, 255>;
using HostKey = BoundedText<50, 50>;
using ProviderType = BoundedText<1, 64>;

struct Port {
  std::uint16_t value = 0;
  static boost::json::object schema();
};

/// The text of a private key: at most 16 KiB of any characters. No error message contains it.
struct PrivateKey {
  std::string value;
  static boost::json::object schema();
};

/// The parameters of a drive: at most 100 texts, each with a name. All names and texts together
/// have at most 16 KiB. No error message contains a parameter.
struct ParameterMap {
  std::map<std::string, std::string> value;
  static boost::json::object schema();
};

Result<void> from_json(const boost::json::value& json, Port& out);
Result<void> from_json(const boost::json::value& json, PrivateKey& out);
Result<void> from_json(const boost::json::value& json, ParameterMap& out);

/// The members of every request that creates, changes or tests a connector.
struct ConnectorMembers {
  FIELD(std::optional<Description>, description, "A description for people: up to 1000 characters.",
        R"("")");
  FIELD(std::optional<bool>, readOnly,
        "True if nothing can be changed through the connector; false by default.", "true");
  FIELD(std::optional<RemoteFolder>, root,
        "The folder on the server or drive; by default the folder after the login, or the top of "
        "the drive.",
        R"("team")");
  FIELD(std::optional<HostName>, host, "The server's name or address.", R"("files.example.org")");
  FIELD(std::optional<Port>, port, "The port; 21, 990 or 22 by default, depending on kind and tls.",
        "22");
  FIELD(std::optional<ServerUser>, user, "The user name at a server: 1 to 255 bytes.", R"("ann")");
  FIELD(std::optional<core::TlsMode>, tls,
        "For FTP: none (default), explicit (AUTH TLS after connecting) or implicit (from the first "
        "byte).",
        R"("explicit")");
  FIELD(std::optional<CharacterSet>, characterSet,
        "The character set of the names on an FTP or SFTP server; utf-8 by default. Items whose "
        "names are not in the set cannot be shown.",
        R"("windows-1252")");
  FIELD(std::optional<HostKey>, hostKey, "The SFTP server's key, as ssh-keygen -l prints it.",
        R"("SHA256:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA")");
  FIELD(std::optional<bool>, trustHostKey,
        "Trust the key that the SFTP server shows now; false by default.", "false");
  FIELD(std::optional<Password>, password,
        "The server's password. It is required again if the host or port changes or TLS is turned "
        "off.",
        R"("correct horse")");
  FIELD(std::optional<PrivateKey>, privateKey,
        "The text of a private key, for SFTP, instead of a password.", R"("")");
  FIELD(std::optional<Password>, passphrase, "The passphrase of the private key.",
        R"("correct horse")");
  FIELD(std::optional<ParameterMap>, parameters,
        "The parameters of a drive by name (GET /api/v2/connectors/providers lists them): at most "
        "100, 16 KB together. An empty value removes a parameter. If an address changes, the "
        "secrets are required again.",
        R"({"url":"https://dav.example.org"})");
};

struct WantedConnector : ConnectorMembers {
  FIELD(NewName, name, "The name: a valid name of a folder, unique within the account.",
        R"("NAS")");
  FIELD(catalog::ConnectorKind, kind, "The kind of server or drive.", R"("sftp")");
  FIELD(std::optional<ProviderType>, provider,
        "For a drive: the `type` of a provider of GET /api/v2/connectors/providers.",
        R"("webdav")");
  FIELD(std::optional<bool>, test,
        "True (default) to log in and list the folder. If that fails, the connector is not "
        "stored.",
        "true");
};

struct ConnectorChanges : ConnectorMembers {
  FIELD(std::optional<NewName>, name,
        "The name: a valid name of a folder, unique within the account.", R"("NAS")");
  FIELD(std::optional<bool>, test,
        "True (default) to log in and list the folder before the changes are stored. Ignored for "
        "drives.",
        "true");
};

struct TriedConnector : ConnectorMembers {
  FIELD(std::optional<ItemId>, id,
        "The connector to test, one of the account. The other members replace its stored settings "
        "in this test. Without an id, a new connector is tested.",
        R"("5f0c2a9d1b7e4c385f0c2a9d1b7e4c38")");
  FIELD(std::optional<NewName>, name,
        "The name: a valid name of a folder, unique within the account.", R"("NAS")");
  FIELD(std::optional<catalog::ConnectorKind>, kind,
        "The kind of server or drive; required without an id.", R"("sftp")");
  FIELD(std::optional<ProviderType>, provider,
        "For a drive: the `type` of a provider of GET /api/v2/connectors/providers.",
        R"("webdav")");
};

/// Returns the caller as the owner of connectors. If the caller is an administrator or the command
/// line, these connectors may lead to private addresses.
core::ConnectorOwner connector_owner_of(const core::Principal& principal);

/// Returns the settings in the body of a request. Errors:
/// - `invalid` if the body has a password and a private key;
/// - `invalid` if the body is a TriedConnector without an id and without a kind.
Result<core::AnyConnectorPatch> patch_of(WantedConnector body);
Result<core::AnyConnectorPatch> patch_of(ConnectorChanges body);
Result<core::AnyConnectorPatch> patch_of(TriedConnector body);

}  // namespace coffer::api::v2
