#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "base/error.h"
#include "http/router.h"
#include "http/server_options.h"

namespace coffer::http {

/// Serves HTTP/1.1 at a port or at a Unix socket. Threads with one io_context each share the port
/// (SO_REUSEPORT). A Unix socket has one thread; its file is removed when the server stops.
class Server {
 public:
  Server(ServerOptions options, const Router& router);
  /// Calls `stop` with a limit of 0.
  ~Server();

  /// Begins to serve. `failed`, with the address and the reason, if the server cannot listen.
  Result<void> start();
  /// Returns the port that the server listens on, which it chose if the options have port 0.
  std::uint16_t port() const;
  /// Returns the number of open connections.
  std::size_t connections() const;
  /// Stops accepting connections, closes idle connections, and ends streams that wait long. Waits
  /// at most `limit` for running requests, then cuts them off. Returns true if none was cut off.
  bool stop(std::chrono::milliseconds limit);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace coffer::http
