#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <cstdint>
#include <functional>
#include <thread>

#include "async/task.h"

namespace coffer::rclone {

/// Listens on a free port of 127.0.0.1, and serves the connections on a thread of its own.
class LoopbackListener {
 public:
  using Serve = std::function<Task<void>(asio::ip::tcp::socket)>;

  /// Throws if it cannot listen, for example because no port is free.
  LoopbackListener();
  /// Stops the thread, and destroys unfinished coroutines.
  ~LoopbackListener() { stop(); }
  LoopbackListener(const LoopbackListener&) = delete;
  LoopbackListener& operator=(const LoopbackListener&) = delete;

  /// Starts the thread, which calls `serve` for each connection. Must not be called twice.
  void start(Serve serve);
  /// Stops the thread. If a handler is running on it, first waits until the handler returns.
  void stop();

  std::uint16_t port() const { return port_; }
  asio::io_context& context() { return context_; }

 private:
  Task<void> accept_all();

  asio::io_context context_{1};
  asio::ip::tcp::acceptor acceptor_{context_};
  std::uint16_t port_ = 0;
  Serve serve_;
  std::jthread thread_;
};

}  // namespace coffer::rclone
