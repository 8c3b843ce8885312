#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

#include "storage/remote.h"

namespace coffer::ftp {

/// The encryption of a connection. With TLS, the server's certificate and name are checked.
enum class Tls : std::uint8_t {
  none,
  explicit_tls,  ///< AUTH TLS on the ordinary port, for control and data connections (RFC 4217).
  implicit_tls,  ///< TLS from the first byte.
};

/// The server to connect to, the login, and limits.
struct FtpOptions {
  std::string host = {};
  std::uint16_t port = 21;
  std::string user = "anonymous";
  std::string password = {};
  /// The folder on the server that is the backend's root: an absolute path, or one relative to the
  /// login folder. Empty for the login folder itself.
  std::string root = {};
  Tls tls = Tls::none;
  std::string ca_file = {};  ///< A PEM file of trusted certificates; empty for those of the system.
  storage::Deadlines deadlines = {};
  storage::MayConnect may_connect = {};  ///< Called for data connections too.
  /// The maximum number of connections, at least 2; see Connections for how they are shared. With
  /// 5, two uploads by limited clients, which may last for hours, still leave the owner two
  /// connections for a copy.
  std::size_t connections = 5;
  storage::WalkLimits walk = {};
  /// An idle connection is closed after this time.
  std::chrono::steady_clock::duration idle_after = std::chrono::seconds(60);
  /// The time that a transfer waits for a free connection.
  std::chrono::milliseconds wait_for_others = std::chrono::minutes(5);
};

}  // namespace coffer::ftp
