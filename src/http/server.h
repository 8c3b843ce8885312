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
/// at a Unix socket, whose file goes when it stops.
class Server {
 public:
  Server(ServerOptions options, const Router& router);
  /// Stops at once if it still runs.
  ~Server();

  /// Binds and begins to serve; `failed` saying which address could not be had and why.
  Result<void> start();
  /// The port it listens on; that matters when 0 was asked for.
  std::uint16_t port() const;
  /// How many connections there are.
  std::size_t connections() const;
  /// Takes no more connections, closes idle ones, ends streams that wait long, lets running
  /// requests finish for at most `limit`, then cuts them off and returns. True if none had to be
  /// cut off.
  bool stop(std::chrono::milliseconds limit);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace coffer::http
