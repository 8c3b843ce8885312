#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "base/error.h"
#include "http/router.h"
#include "http/server_options.h"

namespace coffer::http {

/// Serves HTTP/1.1 at a port, and at another by TLS, or at a Unix socket; by TLS also HTTP/2. At a
/// port each thread has its own io_context and listening socket; the sockets share the port
/// (SO_REUSEPORT). A Unix socket has one thread. Its file is removed when the server stops.
class Server {
 public:
  Server(ServerOptions options, const Router& router);
  /// Calls `stop` with a limit of 0.
  ~Server();

  /// Begins to serve. `failed`, with the address and the reason, if the server cannot listen.
  Result<void> start();
  /// Returns the port on which the server listens, also if the options let it select a free port.
  std::uint16_t port() const;
  /// Returns the same of the port that speaks TLS; 0 if there is none.
  std::uint16_t tls_port() const;
  std::size_t connections() const;
  /// Serves as before, but each answer from now on ends its connection, so that clients come back
  /// by new ones. Does not wait. Safe from any thread between `start` and `stop`.
  void drain();
  /// Stops accepting connections, closes connections without a request in progress, and ends
  /// streams whose `waits_long` is true. Then waits at most `limit` until the running requests have
  /// ended, and cuts off the others. Returns true if no request was cut off.
  bool stop(std::chrono::milliseconds limit);
  /// Cuts off one response that its client has paused and for which memory is reserved, of the
  /// network that has paused most of them at one thread. Does not wait. Safe from any thread
  /// between `start` and `stop`.
  void relieve();
  /// As `relieve`, but of the responses to guests of this account alone.
  void relieve_guests_of(const std::string& account);
  /// Uses these options for all later requests, from a moment after the call. Safe from any thread
  /// between `start` and `stop`.
  void change(const LiveOptions& options);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace coffer::http
