#include "backends/rclone/engine/proxy.h"

#include <fmt/format.h>
#include <sodium.h>

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/buffers_to_string.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "async/deadline.h"
#include "backends/rclone/engine/address_text.h"
#include "backends/rclone/engine/basic_authorization.h"
#include "base/random.h"
#include "base/text.h"

namespace coffer::rclone {
namespace {

namespace beast = boost::beast;
namespace http = beast::http;
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

/// Passes on what each side sends, and that it has ended, until both have ended, one breaks or
/// nothing has passed for so long. The sockets may be open or closed then.
Task<void> relay(tcp::socket& client, tcp::socket& server, Clock::duration idle_limit) {
  using namespace asio::experimental::awaitable_operators;
  Clock::time_point used_at = Clock::now();
  auto up = pass_on(client, server, used_at);
  auto down = pass_on(server, client, used_at);
  auto both = std::move(up) && std::move(down);
  auto unused = watch(used_at, idle_limit);
  co_await (std::move(both) || std::move(unused));
}

constexpr std::string_view kProxyUser = "coffer";
constexpr std::uint32_t kProxyHeadLimitBytes = 16 * 1024;

struct Request {
  bool is_connect = false;
  std::string target = {};
  std::string authorization = {};
  std::string early = {};  ///< The bytes behind the head.
};

Task<Result<Request>> read_request(tcp::socket& socket) {
  beast::flat_buffer buffer(kProxyHeadLimitBytes);
  http::request_parser<http::empty_body> parser;
  parser.header_limit(kProxyHeadLimitBytes);
  boost::system::error_code error;
  co_await http::async_read_header(socket, buffer, parser,
                                   asio::redirect_error(asio::use_awaitable, error));
  if (error) co_return fail(ErrorCode::invalid, "Bad Request");
  const auto& head = parser.get();
  Request request;
  request.is_connect = head.method() == http::verb::connect;
  request.target = std::string(head.target());
  request.authorization = std::string(head[http::field::proxy_authorization]);
  request.early = beast::buffers_to_string(buffer.data());
  co_return request;
}

/// In a time that tells nothing of where they differ.
bool is_same_secret(std::string_view given, std::string_view secret) {
  return given.size() == secret.size() &&
         ::sodium_memcmp(given.data(), secret.data(), secret.size()) == 0;
}

/// The port behind a host that is_host knows; 0 if there is none.
std::uint16_t port_of(std::string_view target) {
  const auto colon = target.rfind(':');
  if (!is_host(target) || colon == target.npos) return 0;
  return parse_number<std::uint16_t>(target.substr(colon + 1)).value_or(0);
}

int status_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::invalid:
      return 400;
    case ErrorCode::unauthenticated:
      return 407;
    case ErrorCode::forbidden:
      return 403;
    case ErrorCode::refused:
      return 503;
    case ErrorCode::timed_out:
      return 504;
    default:
      return 502;
  }
}

/// rclone tells of a refused tunnel by its reason phrase alone: drive_error knows them.
std::string answer_of(const Error& error) {
  return fmt::format(
      "HTTP/1.1 {0} {1}\r\n{2}Content-Type: text/plain\r\nContent-Length: {3}\r\n"
      "Connection: close\r\n\r\n{1}\n",
      status_of(error.code), error.message,
      error.code == ErrorCode::unauthenticated ? "Proxy-Authenticate: Basic realm=\"Coffer\"\r\n"
                                               : "",
      error.message.size() + 1);
}

Task<bool> write(tcp::socket& socket, std::string text) {
  boost::system::error_code error;
  co_await asio::async_write(socket, asio::buffer(text),
                             asio::redirect_error(asio::use_awaitable, error));
  co_return !error;
}

/// Why there is no connection, in words that drive_error knows.
Error no_way(ErrorCode code) {
  switch (code) {
    case ErrorCode::not_found:
      return {ErrorCode::unavailable, "No Such Host"};
    case ErrorCode::forbidden:
      return {code, "Address Not Allowed"};
    case ErrorCode::refused:
      return {code, "Service Unavailable"};
    case ErrorCode::timed_out:
      return {code, "Gateway Timeout"};
    default:
      return {ErrorCode::unavailable, "Bad Gateway"};
  }
}

struct Counted {
  explicit Counted(std::size_t& counter) : number(++counter), counter_(counter) {}
  ~Counted() { --counter_; }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;

  const std::size_t number;

 private:
  std::size_t& counter_;
};

}  // namespace

Proxy::Proxy(storage::MayConnect may_connect, ProxyLimits limits)
    : limits_(limits),
      password_(random_hex(32)),
      authorization_(basic_authorization(kProxyUser, password_)),
      dialer_(listener_.context().get_executor(), std::move(may_connect)) {
  listener_.start([this](tcp::socket socket) { return serve(std::move(socket)); });
}

Proxy::~Proxy() {
  listener_.stop();
}

std::string Proxy::url() const {
  return fmt::format("http://{}:{}@127.0.0.1:{}", kProxyUser, password_, port());
}

Task<void> Proxy::serve(tcp::socket client) {
  const Counted counted(connections_);
  if (counted.number > limits_.connections) {
    const Error busy{ErrorCode::refused, "Service Unavailable"};
    co_await write(client, answer_of(busy));
    co_return;
  }
  std::string early;
  auto server = co_await admit(client, early);
  if (!server) {
    co_await write(client, answer_of(server.error()));
    co_return;
  }
  const bool is_told = co_await write(client, "HTTP/1.1 200 Connection established\r\n\r\n");
  if (!is_told) co_return;
  const bool is_passed_on = co_await write(*server, std::move(early));
  if (!is_passed_on) co_return;
  co_await relay(client, *server, limits_.idle);
}

Task<Result<tcp::socket>> Proxy::admit(tcp::socket& client, std::string& early) {
  boost::system::error_code ignored;
  client.set_option(tcp::no_delay(true), ignored);
  CO_TRY(auto request,
         co_await with_deadline(read_request(client), limits_.ask, "Request Timeout"));
  if (!is_same_secret(request.authorization, authorization_)) {
    co_return fail(ErrorCode::unauthenticated, "Proxy Authentication Required");
  }
  if (!request.is_connect) co_return fail(ErrorCode::forbidden, "Https Only");
  const std::uint16_t port = port_of(request.target);
  if (port == 0) co_return fail(ErrorCode::invalid, "Bad Request");
  early = std::move(request.early);
  std::string host(host_of(request.target));
  auto server = co_await dialer_.connect(std::move(host), port, limits_.connect);
  if (!server) co_return std::unexpected(no_way(server.error().code));
  co_return server;
}

}  // namespace coffer::rclone
