#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "base/error.h"
#include "http/router.h"
#include "http/server_options.h"

namespace coffer::http {

/// Serves HTTP/1.1 on threads of its own, one io_context each, sharing the port (SO_REUSEPORT); or
/// at a Unix socket, whose file it removes when it stops.
class Server {
 public:
  Server(ServerOptions options, const Router& router);
  /// Stops at once if it runs.
  ~Server();

  /// Binds and begins to serve; `failed` with the address and the reason if that is impossible.
  Result<void> start();
  /// The port it listens on; another one than in the options if that is 0.
  std::uint16_t port() const;
  /// The number of connections.
  std::size_t connections() const;
  /// Accepts no more connections, closes idle ones, ends streams that wait long, waits at most
  /// `limit` for running requests, then cuts them off and returns. True if none was cut off.
  bool stop(std::chrono::milliseconds limit);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace coffer::http
