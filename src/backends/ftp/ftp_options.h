#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/character_set.h"
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
  /// The folder on the server that is the backend's root. The path is absolute, or relative to the
  /// login folder. Empty for the login folder itself.
  std::string root = {};
  CharacterSet character_set = CharacterSet::utf_8;  ///< Of names and paths on the server.
  Tls tls = Tls::none;
  std::string ca_file = {};  ///< A PEM file of trusted certificates; the system's if empty.
  storage::Deadlines deadlines = {};
  storage::MayConnect may_connect = {};  ///< Called before every control or data connection.
  /// The maximum number of connections, at least 2; see Connections for how they are shared.
  /// Limited clients (Use::is_limited) may upload for hours. With 5 connections, two such uploads
  /// still leave two connections for a copy by another client.
  std::size_t connections = 5;
  storage::WalkLimits walk = {};
  /// An idle connection is closed after this time.
  std::chrono::steady_clock::duration idle_after = std::chrono::seconds(60);
  /// The longest time that a lasting or writing use waits for a free connection (see UseKind).
  std::chrono::milliseconds wait_for_others = std::chrono::minutes(5);
};

}  // namespace coffer::ftp
