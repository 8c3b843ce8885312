#include "backends/rclone/engine/loopback_listener.h"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <utility>

#include "async/task_group.h"

namespace coffer::rclone {

using asio::ip::tcp;

LoopbackListener::LoopbackListener() {
  const tcp::endpoint any(asio::ip::address_v4::loopback(), 0);
  acceptor_.open(any.protocol());
  acceptor_.bind(any);
  acceptor_.listen();
  port_ = acceptor_.local_endpoint().port();
}

void LoopbackListener::start(Serve serve) {
  serve_ = std::move(serve);
  spawn_background(context_.get_executor(), accept_all());
  thread_ = std::jthread([this] { context_.run(); });
}

void LoopbackListener::stop() {
  context_.stop();
  if (thread_.joinable()) thread_.join();
}

Task<void> LoopbackListener::accept_all() {
  for (;;) {
    boost::system::error_code error;
    tcp::socket socket =
        co_await acceptor_.async_accept(asio::redirect_error(asio::use_awaitable, error));
    if (!error) {
      spawn_background(context_.get_executor(), serve_(std::move(socket)));
      continue;
    }
    // Out of descriptors, for instance: others may be closed meanwhile.
    asio::steady_timer pause(context_, std::chrono::milliseconds(100));
    co_await pause.async_wait(asio::use_awaitable);
  }
}

}  // namespace coffer::rclone
