#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

#include "storage/remote.h"

namespace coffer::sftp {

/// The credential of a login. A private key is tried first. The password is tried if the server
/// wants one, also in addition to the key, and also by keyboard-interactive (RFC 4256).
struct Credential {
  std::string password = {};
  std::string private_key = {};  ///< The text of an OpenSSH or PEM file.
  std::string passphrase = {};   ///< Of the private key; empty if it has none.
};

/// The server to connect to, the login, and limits.
struct SftpOptions {
  std::string host = {};
  std::uint16_t port = 22;
  std::string user = {};
  Credential credential = {};
  std::string root = {};  ///< A folder on the server; empty for the login folder.
  /// The fingerprint of the server's host key: `SHA256:` and base64 without padding, as `ssh-keygen
  /// -lf` prints it. A backend needs it.
  std::string host_key = {};
  storage::Deadlines deadlines = {};
  storage::MayConnect may_connect = {};
  std::size_t max_connections = 4;
  /// Returns the limit for all steps of connecting together. There may be several handshakes, and a
  /// slow server must not use up the deadline of each step.
  std::chrono::milliseconds opening() const { return deadlines.connect + 2 * deadlines.login; }
  /// An unused connection is closed after this time.
  std::chrono::milliseconds keep_idle = std::chrono::seconds(60);
};

}  // namespace coffer::sftp
