#include "backends/rclone/engine/http_exchange.h"

#include <fmt/format.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/asio/redirect_error.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/write.hpp>
#include <boost/json.hpp>
#include <cstdint>
#include <string>
#include <utility>

#include "backends/rclone/engine/drive_error.h"
#include "backends/rclone/engine/json_members.h"
#include "backends/rclone/engine/rclone_instance.h"

namespace coffer::rclone {
namespace {

namespace beast = boost::beast;
namespace http = beast::http;
namespace json = boost::json;
using asio::ip::tcp;

constexpr std::size_t kTextPieceBytes = 16 * 1024;
constexpr std::size_t kErrorLimitBytes = 256 * 1024;

/// A connection while a call uses it.
class Line {
 public:
  Line(const asio::any_io_executor& executor, int& line) : socket_(executor), line_(line) {
    boost::system::error_code error;
    if (line_ < 0) return;
    socket_.assign(tcp::v4(), line_, error);
    if (!error) line_ = -1;
  }
  ~Line() {
    boost::system::error_code error;
    if (socket_.is_open()) line_ = socket_.release(error);
  }
  Line(const Line&) = delete;
  Line& operator=(const Line&) = delete;
  tcp::socket& socket() { return socket_; }

 private:
  tcp::socket socket_;
  int& line_;
};

std::unexpected<Error> lost() {
  return std::unexpected(kEngineLost);
}

/// RFC 3986, section 2.1; slashes divide.
std::string escaped(std::string_view path) {
  constexpr std::string_view kPlain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
  std::string text;
  for (const char c : path) {
    if (kPlain.contains(c)) {
      text += c;
    } else {
      text += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return text;
}

}  // namespace

HttpExchange::~HttpExchange() {
  if (line_ >= 0) ::close(line_);
}

Task<Result<void>> HttpExchange::begin(const RcloneInstance& run, Request request) {
  Line line(co_await asio::this_coro::executor, line_);
  tcp::socket& socket = line.socket();
  boost::system::error_code error;
  const tcp::endpoint endpoint(asio::ip::address_v4::loopback(), run.port);
  co_await socket.async_connect(endpoint, asio::redirect_error(asio::use_awaitable, error));
  if (error == asio::error::connection_refused) co_return std::unexpected(kNeverReached);
  if (error)
    co_return fail(ErrorCode::unavailable, "The server cannot connect to the cloud drive engine.");
  socket.set_option(tcp::no_delay(true), error);
  request.set(http::field::host, "127.0.0.1");
  request.set(http::field::authorization, run.authorization);
  request.keep_alive(false);
  request.prepare_payload();
  co_await http::async_write(socket, request, asio::redirect_error(asio::use_awaitable, error));
  if (error) co_return lost();
  parser_.body_limit(boost::none);
  co_await http::async_read_header(socket, buffer_, parser_,
                                   asio::redirect_error(asio::use_awaitable, error));
  if (error) co_return lost();
  if (const auto told = parser_.content_length()) told_bytes_ = left_bytes_ = *told;
  co_return Result<void>{};
}

Task<Result<std::size_t>> HttpExchange::read_some(std::span<std::byte> out) {
  if (told_bytes_) co_return co_await read_raw(out);
  co_return co_await read_chunks(out);
}

/// Past the parser, which would copy each byte once more.
Task<Result<std::size_t>> HttpExchange::read_raw(std::span<std::byte> out) {
  out = out.first(std::min<std::uint64_t>(out.size(), left_bytes_));
  if (out.empty()) co_return std::size_t{0};
  std::size_t got = 0;
  if (buffer_.size() > 0) {
    got = asio::buffer_copy(asio::buffer(out.data(), out.size()), buffer_.data());
    buffer_.consume(got);
  } else {
    Line line(co_await asio::this_coro::executor, line_);
    boost::system::error_code error;
    got = co_await line.socket().async_read_some(asio::buffer(out.data(), out.size()),
                                                 asio::redirect_error(asio::use_awaitable, error));
    if (error || got == 0) co_return lost();
  }
  left_bytes_ -= got;
  co_return got;
}

Task<Result<std::size_t>> HttpExchange::read_chunks(std::span<std::byte> out) {
  auto& body = parser_.get().body();
  body.data = out.data();
  body.size = out.size();
  body.more = true;
  Line line(co_await asio::this_coro::executor, line_);
  while (!parser_.is_done() && body.size == out.size()) {
    boost::system::error_code error;
    co_await http::async_read_some(line.socket(), buffer_, parser_,
                                   asio::redirect_error(asio::use_awaitable, error));
    if (error && error != http::error::need_buffer) co_return lost();
  }
  co_return out.size() - body.size;
}

std::size_t HttpExchange::read_now(std::span<std::byte> out) {
  if (!told_bytes_ || buffer_.size() > 0 || left_bytes_ <= out.size()) return 0;
  const auto got = ::recv(line_, out.data(), out.size(), MSG_DONTWAIT);
  if (got <= 0) return 0;
  left_bytes_ -= static_cast<std::size_t>(got);
  return static_cast<std::size_t>(got);
}

/// rclone repeats the parameters beside it, secrets and all.
Task<Error> HttpExchange::error() {
  const auto text = co_await read_text(kErrorLimitBytes);
  if (!text) co_return text.error();
  boost::system::error_code error;
  const json::value answer = json::parse(*text, error);
  const json::object* object = answer.if_object();
  co_return error_of(status(), object == nullptr ? "" : text_in(*object, "error"));
}

Task<Result<std::string>> HttpExchange::read_text(std::size_t limit_bytes) {
  std::string text;
  while (text.size() < limit_bytes) {
    const std::size_t before = text.size();
    text.resize(before + std::min(kTextPieceBytes, limit_bytes - before));
    CO_TRY(auto got, co_await read_some(std::as_writable_bytes(std::span(text).subspan(before))));
    text.resize(before + got);
    if (got == 0) break;
  }
  co_return text;
}

HttpExchange::Request content_request(std::string_view fs, std::string_view place,
                                      std::uint64_t offset) {
  namespace http = boost::beast::http;
  // The remote stands in brackets; what may hold one itself comes behind.
  const std::string target = "/" + escaped(fmt::format("[{}]", fs)) + "/" + escaped(place);
  HttpExchange::Request request(http::verb::get, target, 11);
  if (offset > 0) request.set(http::field::range, fmt::format("bytes={}-", offset));
  return request;
}

}  // namespace coffer::rclone
