#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

#include "storage/remote.h"

namespace coffer::ftp {

/// The protection of a connection. The server's certificate and its name are always checked.
enum class Tls : std::uint8_t {
  none,
  explicit_tls,  ///< AUTH TLS on the ordinary port, for commands and data (RFC 4217).
  implicit_tls,  ///< TLS from the first byte.
};

/// A server, a login, and the limits of their use.
struct FtpOptions {
  std::string host = {};
  std::uint16_t port = 21;
  std::string user = "anonymous";
  std::string password = {};
  /// The folder on the server that is the backend's root: absolute, or relative to where the login
  /// leads; empty for that folder itself.
  std::string root = {};
  Tls tls = Tls::none;
  std::string ca_file = {};  ///< Certificates to trust, PEM; empty for those of the system.
  storage::Deadlines deadlines = {};
  storage::MayConnect may_connect = {};  ///< Asked for data connections too.
  /// The limit of connections, at least 2, since a copy within the server reads and writes at once.
  /// Of 3 or more, transfers leave one to brief requests, and uploads another one to reading. Of 5,
  /// two uploads by limited clients, which may last for hours, leave a copy to the owner as well.
  std::size_t connections = 5;
  storage::WalkLimits walk = {};
  std::chrono::steady_clock::duration idle_after = std::chrono::seconds(60);  ///< Then closed.
  /// The time that a transfer waits for a connection.
  std::chrono::milliseconds wait_for_others = std::chrono::minutes(5);
};

}  // namespace coffer::ftp
