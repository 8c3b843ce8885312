#include "http/testing/test_client.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#include <stdexcept>

#include "http/syntax.h"

namespace coffer::http {

TestClient::TestClient(std::uint16_t port) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  // A server that never answers must fail the test rather than hang it.
  const timeval limit{30, 0};
  ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  if (::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    throw std::runtime_error("cannot connect");
  }
}

TestClient::TestClient(const std::filesystem::path& socket)
    : socket_(::socket(AF_UNIX, SOCK_STREAM, 0)) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, socket.c_str(), sizeof address.sun_path - 1);
  const timeval limit{30, 0};
  ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  if (::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    throw std::runtime_error("cannot connect");
  }
}

TestClient::~TestClient() {
  ::close(socket_);
}

bool TestClient::send(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return false;  // It may have closed already; the answer says why.
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

void TestClient::finish_sending() {
  ::shutdown(socket_, SHUT_WR);
}

bool TestClient::fill() {
  char bytes[65536];
  const ssize_t got = ::recv(socket_, bytes, sizeof bytes, 0);
  if (got < 0) throw std::runtime_error("the connection was reset or nothing came");
  buffer_.append(bytes, static_cast<std::size_t>(got));
  return got > 0;
}

std::string TestClient::Answer::header(std::string_view name) const {
  for (std::string_view rest = head; !rest.empty();) {
    std::string_view value = cut_front(rest, '\n');
    const auto known = cut_front(value, ':');
    if (!equal_ignoring_case(known, name)) continue;
    if (value.ends_with('\r')) value.remove_suffix(1);
    return std::string(trim(value));
  }
  return {};
}

bool TestClient::fill_up_to(std::size_t size) {
  while (buffer_.size() < size) {
    if (!fill()) return false;
  }
  return true;
}

void TestClient::read_chunks(Answer& answer) {
  answer.is_whole = false;
  for (;;) {
    std::size_t line = 0;
    while ((line = buffer_.find("\r\n")) == std::string::npos) {
      if (!fill()) return;
    }
    const std::size_t size = std::stoull(buffer_.substr(0, line), nullptr, 16);
    if (!fill_up_to(line + 2 + size + 2)) return;
    answer.body += buffer_.substr(line + 2, size);
    if (buffer_.compare(line + 2 + size, 2, "\r\n") != 0) return;
    buffer_.erase(0, line + 2 + size + 2);
    if (size == 0) break;
  }
  answer.is_whole = true;
}

TestClient::Answer TestClient::read_answer(bool without_body) {
  std::size_t end = 0;
  while ((end = buffer_.find("\r\n\r\n")) == std::string::npos) {
    if (!fill()) return {};
  }
  Answer answer;
  answer.head = buffer_.substr(0, end + 2);
  answer.status = static_cast<unsigned>(std::stoul(answer.head.substr(9, 3)));
  buffer_.erase(0, end + 4);
  if (without_body) return answer;
  if (answer.header("Transfer-Encoding") == "chunked") {
    read_chunks(answer);
    return answer;
  }
  const std::string length = answer.header("Content-Length");
  const std::size_t size = length.empty() ? 0 : std::stoull(length);
  fill_up_to(size);
  answer.body = buffer_.substr(0, size);
  buffer_.erase(0, size);
  return answer;
}

bool TestClient::is_closed() {
  return buffer_.empty() && !fill();
}

}  // namespace coffer::http
