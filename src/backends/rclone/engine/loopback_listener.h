#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <cstdint>
#include <functional>
#include <thread>

#include "async/task.h"

namespace coffer::rclone {

/// A free port of 127.0.0.1, and a thread of its own that serves who connects to it.
class LoopbackListener {
 public:
  using Serve = std::function<Task<void>(asio::ip::tcp::socket)>;

  /// Throws if there is no port.
  LoopbackListener();
  /// Destroys the work under way.
  ~LoopbackListener() { stop(); }
  LoopbackListener(const LoopbackListener&) = delete;
  LoopbackListener& operator=(const LoopbackListener&) = delete;

  /// Calls `serve` for each connection from now on. Called once.
  void start(Serve serve);
  /// Waits for what runs at this moment; nothing runs any more.
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
