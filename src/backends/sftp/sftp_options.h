#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

#include "storage/remote.h"

namespace coffer::sftp {

/// The credential of a login. A private key is tried first; the password is used if the server
/// wants one, also besides the key and through keyboard-interactive (RFC 4256).
struct Credential {
  std::string password = {};
  std::string private_key = {};  ///< The text of an OpenSSH or PEM file.
  std::string passphrase = {};   ///< Of the private key; empty without one.
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
  /// Returns the limit for all steps of connecting. There may be several handshakes, and a server
  /// must not use up each step's own deadline.
  std::chrono::milliseconds opening() const { return deadlines.connect + 2 * deadlines.login; }
  std::chrono::milliseconds keep_idle = std::chrono::seconds(60);
};

}  // namespace coffer::sftp
