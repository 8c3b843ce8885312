#pragma once

#include <map>
#include <optional>
#include <string>

#include "api/v2/body_schema.h"
#include "api/v2/bounded_text.h"
#include "api/v2/connector_model.h"

/// Connectors as they are described in requests.
namespace coffer::api::v2 {

struct Port {
  std::uint16_t value = 0;
};

/// A private key's text: at most 16 KiB of any characters. It is never in a message.
struct PrivateKey {
  std::string value;
};

/// A drive's parameters by name: at most 100, of texts. They are never in a message.
struct ParameterMap {
  std::map<std::string, std::string> value;
};

Result<void> from_json(const boost::json::value& json, Port& out);
Result<void> from_json(const boost::json::value& json, PrivateKey& out);
Result<void> from_json(const boost::json::value& json, ParameterMap& out);

template <>
struct BodySchema<Port> {
  static boost::json::object make();
};
template <>
struct BodySchema<PrivateKey> {
  static boost::json::object make();
};
template <>
struct BodySchema<ParameterMap> {
  static boost::json::object make();
};

/// What can be said of any connector, whether it is made, changed or tried.
struct ConnectorMembers {
  std::optional<Description> description;
  std::optional<bool> readOnly;
  std::optional<BoundedText<0, 4096>> root;
  std::optional<BoundedText<1, 253>> host;
  std::optional<Port> port;
  std::optional<BoundedText<1, 255>> user;
  std::optional<core::TlsMode> tls;
  std::optional<BoundedText<50, 50>> hostKey;
  std::optional<bool> trustHostKey;
  std::optional<Password> password;
  std::optional<PrivateKey> privateKey;
  std::optional<Password> passphrase;
  std::optional<ParameterMap> parameters;
};
BOOST_DESCRIBE_STRUCT(ConnectorMembers, (),
                      (description, readOnly, root, host, port, user, tls, hostKey, trustHostKey,
                       password, privateKey, passphrase, parameters))

struct WantedConnector : ConnectorMembers {
  NewName name;
  catalog::ConnectorKind kind = catalog::ConnectorKind::sftp;
  std::optional<BoundedText<1, 64>> provider;
  std::optional<bool> test;
};
BOOST_DESCRIBE_STRUCT(WantedConnector, (ConnectorMembers), (name, kind, provider, test))

struct ConnectorChanges : ConnectorMembers {
  std::optional<NewName> name;
  std::optional<bool> test;
};
BOOST_DESCRIBE_STRUCT(ConnectorChanges, (ConnectorMembers), (name, test))

struct TriedConnector : ConnectorMembers {
  std::optional<ItemId> id;
  std::optional<NewName> name;
  std::optional<catalog::ConnectorKind> kind;
  std::optional<BoundedText<1, 64>> provider;
};
BOOST_DESCRIBE_STRUCT(TriedConnector, (ConnectorMembers), (id, name, kind, provider))

/// For the connectors of who asks. Who is an administrator may lead them to private addresses.
core::ConnectorOwner connector_owner_of(const core::Principal& principal);

/// `invalid` for a password and a private key at once.
Result<core::AnyConnectorPatch> patch_of(WantedConnector body);
Result<core::AnyConnectorPatch> patch_of(ConnectorChanges body);
Result<core::AnyConnectorPatch> patch_of(TriedConnector body);

}  // namespace coffer::api::v2

namespace coffer::api {

inline constexpr std::array<FieldDoc, 13> kConnectorFields{{
    {"description", "What it is, for people: up to 1000 characters.", R"("")"},
    {"readOnly", "Whether nothing can be changed through it; false by default.", "true"},
    {"root",
     "The folder on the server or drive; by default where a login leads, or the drive's top.",
     R"("team")"},
    {"host", "The server's name or address.", R"("files.example.org")"},
    {"port", "Its port; 21, 990 or 22 by default, as the kind and tls say.", "22"},
    {"user", "Whom to log in as, on a server: 1 to 255 bytes.", R"("ann")"},
    {"tls",
     "For FTP: none, which is the default, explicit (asked for after connecting) or implicit (from "
     "the first byte).",
     R"("explicit")"},
    {"hostKey", "The SFTP server's key, as ssh-keygen -l prints it.",
     R"("SHA256:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA")"},
    {"trustHostKey", "Trust the key that the SFTP server shows now; false by default.", "false"},
    {"password", "The server's password. Another host, port or the end of TLS needs it again.",
     R"("correct horse")"},
    {"privateKey", "A private key's text, for SFTP, in the place of a password.", R"("")"},
    {"passphrase", "Of the private key beside it.", R"("correct horse")"},
    {"parameters",
     "A drive's parameters by name, as GET /api/v2/connectors/providers tells them: at most 100, "
     "of "
     "16 KiB together. An empty value removes one. Another address needs the secrets again.",
     R"({"url":"https://dav.example.org"})"},
}};

inline constexpr FieldDoc kConnectorName{
    "name", "How it is called: a name that a folder could have, unique for the account.",
    R"("NAS")"};
inline constexpr FieldDoc kConnectorProvider{
    "provider", "Of a drive: the type of one of GET /api/v2/connectors/providers.", R"("webdav")"};
inline constexpr FieldDoc kConnectorTest{
    "test",
    "Log in and look into the folder before it is stored; true by default. Changes of a drive are "
    "not tried.",
    "true"};

template <>
struct Docs<v2::WantedConnector> {
  static constexpr auto fields =
      joined(kConnectorFields, std::array<FieldDoc, 4>{{
                                   kConnectorName,
                                   {"kind", "What it leads to.", R"("sftp")"},
                                   kConnectorProvider,
                                   kConnectorTest,
                               }});
};
template <>
struct Docs<v2::ConnectorChanges> {
  static constexpr auto fields =
      joined(kConnectorFields, std::array<FieldDoc, 2>{{kConnectorName, kConnectorTest}});
};
template <>
struct Docs<v2::TriedConnector> {
  static constexpr auto fields = joined(
      kConnectorFields,
      std::array<FieldDoc, 4>{{
          {"id",
           "A connector of the account: what else is said takes the place of what it has. Without "
           "it, a new one is tried.",
           R"("5f0c2a9d1b7e4c385f0c2a9d1b7e4c38")"},
          kConnectorName,
          {"kind", "What it leads to; needed without an id.", R"("sftp")"},
          kConnectorProvider,
      }});
};

}  // namespace coffer::api
