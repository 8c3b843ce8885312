#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

#include "storage/remote.h"

namespace coffer::sftp {

/// What proves to a server which user asks. A private key is tried first; the password answers a
/// server that wants one, or besides the key, also through keyboard-interactive (RFC 4256).
struct Credential {
  std::string password = {};
  std::string private_key = {};  ///< The text of an OpenSSH or PEM file.
  std::string passphrase = {};   ///< Of the private key, where it has one.
};

struct SftpOptions {
  std::string host = {};
  std::uint16_t port = 22;
  std::string user = {};
  Credential credential = {};
  std::string root = {};  ///< A folder on the server; the login folder if empty.
  /// `SHA256:` and base64 without padding, as `ssh-keygen -lf` prints it. Never empty.
  std::string host_key = {};
  storage::Deadlines deadlines = {};
  storage::MayConnect may_connect = {};
  std::size_t max_connections = 4;
  /// For all that is done until a connection can be used. It may take several handshakes, and a
  /// server must not use up each step's own deadline.
  std::chrono::milliseconds opening() const { return deadlines.connect + 2 * deadlines.login; }
  std::chrono::milliseconds keep_idle = std::chrono::seconds(60);
};

}  // namespace coffer::sftp
