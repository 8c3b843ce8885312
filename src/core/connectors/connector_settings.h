#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace coffer::core {

/// How a connection is encrypted, for FTP: not at all, after AUTH TLS (RFC 4217), or from the
/// start.
enum class TlsMode : std::uint8_t { none, explicit_, implicit };

std::string_view to_string(TlsMode tls);

/// What a server's secret is.
enum class Credential : std::uint8_t { password, private_key };

/// Of a drive, by the names that rclone gives them. Any value may be a secret.
using DriveParameters = std::map<std::string, std::string>;

/// The value of the name; empty where there is none.
std::string value_in(const DriveParameters& parameters, const std::string& name);

/// What a connector says besides its labels and the secret of a server. Each type has a part of it.
struct ConnectorSettings {
  /// A folder on the server or drive; empty for the one that a login leads to, or the drive's top.
  /// In S3 it begins with a bucket.
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
  /// Random; another after each change of the settings, but for a token that was renewed.
  std::string revision = {};
  /// Random; another after each change of what the token belongs to, and of the token itself by
  /// its owner.
  std::string login = {};
};

}  // namespace coffer::core
