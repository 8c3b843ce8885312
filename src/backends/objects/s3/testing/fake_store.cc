#include "backends/objects/s3/testing/fake_store.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <optional>
#include <sstream>
#include <stdexcept>
#include <string_view>

#include "base/text.h"

namespace coffer::objects::s3 {
namespace {

using Then = FakeStore::Reply::Then;

/// Reads until the text has `size` bytes, or as far as `end` if that is not empty.
bool receive(int socket, std::string& text, std::size_t size, std::string_view end) {
  char block[64 * 1024];
  while (end.empty() ? text.size() < size : !text.contains(end)) {
    const auto count = ::recv(socket, block, sizeof block, 0);
    if (count <= 0) return false;
    text.append(block, static_cast<std::size_t>(count));
  }
  return true;
}

FakeStore::Request parse_head(const std::string& head) {
  FakeStore::Request request;
  std::istringstream lines(head);
  lines >> request.method >> request.target;
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line) && line.size() > 1) {
    const auto colon = line.find(": ");
    request.headers[to_lower(line.substr(0, colon))] =
        line.substr(colon + 2, line.size() - colon - 3);
  }
  return request;
}

/// nullopt at the connection's end. Clients send the next request behind the answer only.
std::optional<FakeStore::Request> receive_request(int socket) {
  std::string text;
  if (!receive(socket, text, 0, "\r\n\r\n")) return std::nullopt;
  const auto head = text.find("\r\n\r\n") + 4;
  FakeStore::Request request = parse_head(text.substr(0, head));
  request.body = text.substr(head);
  const auto length = request.headers.find("content-length");
  if (length == request.headers.end()) return request;
  if (!receive(socket, request.body, std::stoul(length->second), "")) return std::nullopt;
  return request;
}

bool send_all(int socket, const std::string& bytes) {
  for (std::size_t sent = 0; sent < bytes.size();) {
    const auto count = ::send(socket, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
    if (count <= 0) return false;
    sent += static_cast<std::size_t>(count);
  }
  return true;
}

void wait_for_end(int socket) {
  char block[4096];
  while (::recv(socket, block, sizeof block, 0) > 0) continue;
}

}  // namespace

FakeStore::FakeStore(Script script) : script_(std::move(script)) {
  listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof address;
  auto* const any = reinterpret_cast<sockaddr*>(&address);
  if (::bind(listener_, any, length) != 0 || ::listen(listener_, 64) != 0 ||
      ::getsockname(listener_, any, &length) != 0) {
    throw std::runtime_error("there is no port");
  }
  port_ = ntohs(address.sin_port);
  acceptor_ = std::jthread([this] { accept_all(); });
}

FakeStore::~FakeStore() {
  ::shutdown(listener_, SHUT_RDWR);
  acceptor_.join();
  for (const int socket : sockets_) ::shutdown(socket, SHUT_RDWR);
  threads_.clear();
  for (const int socket : sockets_) ::close(socket);
  ::close(listener_);
}

std::string FakeStore::url() const {
  return fmt::format("http://127.0.0.1:{}", port_);
}

std::vector<FakeStore::Request> FakeStore::requests() const {
  const std::lock_guard lock(mutex_);
  return requests_;
}

std::size_t FakeStore::connections() const {
  const std::lock_guard lock(mutex_);
  return sockets_.size();
}

void FakeStore::accept_all() {
  for (;;) {
    const int socket = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (socket < 0) return;
    const std::lock_guard lock(mutex_);
    sockets_.push_back(socket);
    threads_.emplace_back([this, socket] { serve(socket); });
  }
}

void FakeStore::serve(int socket) {
  while (const auto request = receive_request(socket)) {
    const Reply reply = reply_to(*request);
    if (!send_all(socket, reply.bytes) || reply.then == Then::close) break;
    if (reply.then == Then::hang) wait_for_end(socket);
  }
  // It is closed at the end, so that its number is not given to another.
  ::shutdown(socket, SHUT_RDWR);
}

FakeStore::Reply FakeStore::reply_to(const Request& request) {
  const std::lock_guard lock(mutex_);
  requests_.push_back(request);
  return script_(request, requests_.size() - 1);
}

std::string http_answer(const std::string& status, const std::string& body,
                        const std::string& headers) {
  return fmt::format("HTTP/1.1 {}\r\nContent-Length: {}\r\n{}\r\n{}", status, body.size(), headers,
                     body);
}

std::string s3_error(const std::string& status, const std::string& code,
                     const std::string& headers) {
  return http_answer(
      status,
      fmt::format("<?xml version=\"1.0\"?><Error><Code>{}</Code><RequestId>1</RequestId></Error>",
                  code),
      headers);
}

}  // namespace coffer::objects::s3
