#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"
#include "catalog/connectors.h"

namespace coffer::core {

/// How a connection is encrypted, for FTP: not at all, after AUTH TLS (RFC 4217), or from the
/// start.
enum class TlsMode : std::uint8_t { none, explicit_, implicit };

std::string_view to_string(TlsMode tls);

/// What a connector's secret is.
enum class Credential : std::uint8_t { password, private_key };

/// What a connector to an FTP or SFTP server says besides its secret.
struct ConnectorSettings {
  catalog::ConnectorKind kind = catalog::ConnectorKind::sftp;
  std::string host;
  std::uint16_t port = 0;
  std::string user;
  std::string root;  ///< A folder on the server; empty for the one that a login leads to.
  TlsMode tls = TlsMode::none;                   ///< FTP alone.
  Credential credential = Credential::password;  ///< A private key for SFTP alone.
  std::string host_key;  ///< SFTP: `SHA256:` and base64 without padding, as OpenSSH prints it.
  bool may_be_private = false;  ///< An administrator gave its address: it may be a private one.
};

/// 21, 990 with implicit TLS, 22.
std::uint16_t default_port(catalog::ConnectorKind kind, TlsMode tls);

/// The settings as the catalog keeps them: JSON. The kind is not among them.
std::string to_text(const ConnectorSettings& settings);
/// `failed` for what `to_text` did not write.
Result<ConnectorSettings> settings_of(const catalog::Connector& connector);

/// A connector's secret as it is sealed.
struct ConnectorSecret {
  std::string secret;      ///< A password, or a private key's text.
  std::string passphrase;  ///< Of the private key; empty without one.
};
std::string to_text(const ConnectorSecret& secret);
/// `failed` for what `to_text` did not write.
Result<ConnectorSecret> secret_of(std::string_view text);

/// For people: `sftp://user@host:port/folder`.
std::string target_of(const ConnectorSettings& settings);

}  // namespace coffer::core
