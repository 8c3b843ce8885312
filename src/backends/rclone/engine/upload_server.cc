#include "backends/rclone/engine/upload_server.h"

#include <fmt/format.h>

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <chrono>
#include <utility>

#include "async/deadline.h"
#include "base/random.h"

namespace coffer::rclone {
namespace {

namespace beast = boost::beast;
namespace http = beast::http;
using asio::ip::tcp;

constexpr auto kAskWithin = std::chrono::seconds(30);
constexpr std::uint32_t kHeadLimitBytes = 16 * 1024;

/// The target of a GET; empty for all else.
Task<Result<std::string>> read_target(tcp::socket& socket) {
  beast::flat_buffer buffer;
  http::request_parser<http::empty_body> parser;
  parser.header_limit(kHeadLimitBytes);
  boost::system::error_code error;
  co_await http::async_read_header(socket, buffer, parser,
                                   asio::redirect_error(asio::use_awaitable, error));
  if (error) co_return fail(ErrorCode::invalid, "This is no request.");
  if (parser.get().method() != http::verb::get) co_return std::string();
  co_return std::string(parser.get().target());
}

std::string head_of(const UploadSource& upload_source) {
  std::string head = fmt::format(
      "HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\nContent-Length: {}\r\n"
      "Connection: close\r\n",
      upload_source.size_bytes());
  if (const auto time = upload_source.modified_at()) {
    head += fmt::format("Last-Modified: {}\r\n", format_http_date(*time));
  }
  return head + "\r\n";
}

Task<bool> write_message(tcp::socket& socket, std::string_view text) {
  boost::system::error_code error;
  co_await asio::async_write(socket, asio::buffer(text),
                             asio::redirect_error(asio::use_awaitable, error));
  co_return !error;
}

}  // namespace

UploadServer::UploadServer() {
  listener_.start([this](tcp::socket socket) { return serve(std::move(socket)); });
}

UploadServer::~UploadServer() {
  ending_ = true;
  listener_.stop();
}

std::string UploadServer::Address::url() const {
  return fmt::format("http://127.0.0.1:{}/{}", upload_server_.port(), token_);
}

std::unique_ptr<UploadServer::Address> UploadServer::upload_source(
    std::shared_ptr<UploadSource> content) {
  std::string token = random_hex(32);
  const std::lock_guard lock(mutex_);
  offers_.emplace(token, std::move(content));
  return std::unique_ptr<Address>(new Address(*this, std::move(token)));
}

void UploadServer::withdraw(const std::string& token) {
  const std::lock_guard lock(mutex_);
  offers_.erase(token);
}

std::shared_ptr<UploadSource> UploadServer::take(std::string_view target) {
  if (!target.starts_with('/')) return nullptr;
  const std::lock_guard lock(mutex_);
  const auto found = offers_.find(target.substr(1));
  if (found == offers_.end()) return nullptr;
  auto upload_source = std::move(found->second);
  offers_.erase(found);
  return upload_source;
}

Task<void> UploadServer::serve(tcp::socket socket) {
  auto asked = co_await with_deadline(read_target(socket), kAskWithin, "Nothing is asked for.");
  if (!asked) co_return;
  const auto upload_source = take(*asked);
  if (!upload_source) {
    co_await write_message(
        socket, "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    co_return;
  }
  const std::string head = head_of(*upload_source);
  const bool is_sent = co_await write_message(socket, head);
  if (!is_sent) co_return;
  co_await upload_source->send(socket);
}

}  // namespace coffer::rclone
