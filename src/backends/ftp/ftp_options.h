#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

#include "storage/remote.h"

namespace coffer::ftp {

/// How a connection is protected. The server's certificate is always checked, its name too.
enum class Tls : std::uint8_t {
  none,
  explicit_tls,  ///< AUTH TLS on the ordinary port, for commands and data (RFC 4217).
  implicit_tls,  ///< TLS from the first byte.
};

/// Which server, and how it is used.
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
  /// How many connections at most. At least 2 are used, since a copy within the server needs them;
  /// of 3 or more, transfers leave one for brief requests. With 5, two uploads by those who may
  /// reach a part of the place only, which may last for hours, leave the owner such a copy as well.
  std::size_t connections = 5;
  storage::WalkLimits walk = {};
  std::chrono::steady_clock::duration idle_after = std::chrono::seconds(60);  ///< Then closed.
  /// How long what needs a connection for long waits for others that do.
  std::chrono::milliseconds wait_for_others = std::chrono::minutes(5);
};

}  // namespace coffer::ftp
