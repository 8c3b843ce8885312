#pragma once

#include <array>
#include <optional>
#include <string>

#include "api/v2/account.h"
#include "core/connectors/account_connectors.h"

/// Connectors as the answers show them: without any secret.
namespace coffer::api::v2 {

struct ServerPart {
  std::string host;
  std::uint64_t port = 0;
  std::string user;
  std::string root;
  core::TlsMode tls = core::TlsMode::none;
  std::string hostKey;
  bool usesPrivateKey = false;
};
BOOST_DESCRIBE_STRUCT(ServerPart, (), (host, port, user, root, tls, hostKey, usesPrivateKey))

struct DrivePart {
  std::string provider;
  std::string root;
  AnyObject parameters;
};
BOOST_DESCRIBE_STRUCT(DrivePart, (), (provider, root, parameters))

struct HealthPart {
  core::ServerHealth::State state = core::ServerHealth::State::unknown;
  std::string message;
  std::optional<Timestamp> lookedAt;
};
BOOST_DESCRIBE_STRUCT(HealthPart, (), (state, message, lookedAt))

struct ConnectorDetails {
  std::string id;
  catalog::ConnectorKind kind = catalog::ConnectorKind::sftp;
  std::string name;
  std::string description;
  std::string target;
  bool readOnly = false;
  bool mayBePrivate = false;
  Timestamp createdAt;
  std::optional<ServerPart> server;
  std::optional<DrivePart> drive;
  HealthPart health;
};
BOOST_DESCRIBE_STRUCT(ConnectorDetails, (),
                      (id, kind, name, description, target, readOnly, mayBePrivate, createdAt,
                       server, drive, health))

/// As administrators see it.
struct ManagedConnector : ConnectorDetails {
  std::string userName;
};
BOOST_DESCRIBE_STRUCT(ManagedConnector, (ConnectorDetails), (userName))

void show(const core::ConnectorView& view, ConnectorDetails& out);

}  // namespace coffer::api::v2

namespace coffer::api {

template <>
struct Words<catalog::ConnectorKind> {
  static constexpr auto all = catalog::kConnectorKinds;
};
template <>
struct Words<core::TlsMode> {
  using enum core::TlsMode;
  static constexpr std::array all{none, explicit_, implicit};
};
template <>
struct Words<core::ServerHealth::State> {
  using enum core::ServerHealth::State;
  static constexpr std::array all{unknown, works, fails};
};

template <>
struct Docs<v2::ServerPart> {
  static constexpr std::string_view name = "ConnectorServer";
  static constexpr std::array<FieldDoc, 7> fields{{
      {"host", "The server's name or address.", R"("files.example.org")"},
      {"port", "Its port.", "22"},
      {"user", "Whom it logs in as.", R"("ann")"},
      {"root", "The folder on the server; empty for the one that a login leads to.", R"("")"},
      {"tls", "How FTP is encrypted.", R"("none")"},
      {"hostKey", "The key of the SFTP server that it trusts; empty for FTP.",
       R"("SHA256:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA")"},
      {"usesPrivateKey", "Whether it logs in with a private key.", "false"},
  }};
};

template <>
struct Docs<v2::DrivePart> {
  static constexpr std::string_view name = "ConnectorDrive";
  static constexpr std::array<FieldDoc, 3> fields{{
      {"provider", "The type of one of GET /api/v2/connectors/providers.", R"("webdav")"},
      {"root", "The folder on the drive; empty for its top.", R"("")"},
      {"parameters", "Its parameters by name; null stands for one that is secret.",
       R"({"url":"https://dav.example.org","pass":null})"},
  }};
};

template <>
struct Docs<v2::HealthPart> {
  static constexpr std::string_view name = "ConnectorHealth";
  static constexpr std::array<FieldDoc, 3> fields{{
      {"state", "unknown: it was not used lately.", R"("works")"},
      {"message", "What is wrong, for people; empty where nothing is known to be.", R"("")"},
      {"lookedAt", "When it was last used, UTC; null where it was not lately.", "null"},
  }};
};

inline constexpr std::array<FieldDoc, 11> kConnectorDetails{{
    {"id", "Identifier; the connector's path begins with __conn_ and it.",
     R"("5f0c2a9d1b7e4c385f0c2a9d1b7e4c38")"},
    {"kind", "What it leads to.", R"("sftp")"},
    {"name", "How it is called, unique for the account.", R"("NAS")"},
    {"description", "What it is, for people.", R"("")"},
    {"target", "Where it leads, for people.", R"("sftp://ann@files.example.org:22/")"},
    {"readOnly", "Whether nothing can be changed through it.", "false"},
    {"mayBePrivate", "Whether an administrator lets it lead to private addresses.", "false"},
    {"createdAt", "UTC.", R"("2026-11-21T06:14:09")"},
    {"server", "Of a server; null for a drive.", "null"},
    {"drive", "Of a drive; null for a server, and where its secrets cannot be opened.", "null"},
    {"health", "How it did when it was last used. Asking contacts no server.",
     R"({"state":"unknown","message":"","lookedAt":null})"},
}};

template <>
struct Docs<v2::ConnectorDetails> {
  static constexpr std::string_view name = "Connector";
  static constexpr auto fields = kConnectorDetails;
};

template <>
struct Docs<v2::ManagedConnector> {
  static constexpr std::string_view name = "ManagedConnector";
  static constexpr auto fields =
      joined(kConnectorDetails, std::array<FieldDoc, 1>{{
                                    {"userName", "The account that has it.", R"("ann")"},
                                }});
};

}  // namespace coffer::api
