#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/character_set.h"
#include "storage/remote.h"

namespace coffer::sftp {

/// A private key, a password, or both. The key is tried first. If the server still wants a
/// password, the password is sent by the method `password` or `keyboard-interactive` (RFC 4256).
struct Credential {
  std::string password = {};
  std::string private_key = {};  ///< The text of an OpenSSH or PEM file.
  std::string passphrase = {};   ///< The passphrase of the private key; empty if the key has none.
};

/// The server to connect to, the login, and limits.
struct SftpOptions {
  std::string host = {};
  std::uint16_t port = 22;
  std::string user = {};
  Credential credential = {};
  std::string root = {};  ///< The folder of the backend; empty for the login folder.
  CharacterSet character_set = CharacterSet::utf_8;  ///< Of names and paths on the server.
  /// The fingerprint of the server's host key: `SHA256:` and base64 without padding, as `ssh-keygen
  /// -lf` prints it. SftpBackend::open fails without it.
  std::string host_key = {};
  storage::Deadlines deadlines = {};
  storage::MayConnect may_connect = {};
  std::size_t max_connections = 4;
  /// Returns the time limit for Connection::open. It exists because connecting may take several
  /// handshakes, and a slow server could use up the deadline of every step in every handshake.
  std::chrono::milliseconds opening() const { return deadlines.connect + 2 * deadlines.login; }
  /// A connection that was unused for this time is closed.
  std::chrono::milliseconds keep_idle = std::chrono::seconds(60);
};

}  // namespace coffer::sftp
