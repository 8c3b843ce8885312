#include "backends/rclone/engine/tunnel.h"

#include <boost/asio/buffer.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <utility>
#include <vector>

namespace coffer::rclone {
namespace {

using asio::ip::tcp;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kTunnelPieceBytes = 64 * 1024;

void close(tcp::socket& socket) {
  boost::system::error_code ignored;
  socket.close(ignored);
}

/// One way. A way that breaks ends the other one too.
Task<void> pass_on(tcp::socket& from, tcp::socket& to, Clock::time_point& used_at) {
  std::vector<char> bytes(kTunnelPieceBytes);
  boost::system::error_code error;
  while (!error) {
    const std::size_t got = co_await from.async_read_some(
        asio::buffer(bytes), asio::redirect_error(asio::use_awaitable, error));
    used_at = Clock::now();
    if (error == asio::error::eof) {
      to.shutdown(tcp::socket::shutdown_send, error);
      co_return;
    }
    if (error) break;
    co_await asio::async_write(to, asio::buffer(bytes.data(), got),
                               asio::redirect_error(asio::use_awaitable, error));
    used_at = Clock::now();
  }
  close(from);
  close(to);
}

/// Returns when it has not been used for so long.
Task<void> watch(const Clock::time_point& used_at, Clock::duration idle_limit) {
  auto executor = co_await asio::this_coro::executor;
  asio::steady_timer timer(executor);
  while (Clock::now() < used_at + idle_limit) {
    timer.expires_at(used_at + idle_limit);
    co_await timer.async_wait(asio::use_awaitable);
  }
}

}  // namespace

Task<void> relay(tcp::socket& client, tcp::socket& server, Clock::duration idle_limit) {
  using namespace asio::experimental::awaitable_operators;
  Clock::time_point used_at = Clock::now();
  auto up = pass_on(client, server, used_at);
  auto down = pass_on(server, client, used_at);
  auto both = std::move(up) && std::move(down);
  auto unused = watch(used_at, idle_limit);
  co_await (std::move(both) || std::move(unused));
}

}  // namespace coffer::rclone
