#include "http/testing/test_client.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <span>
#include <stdexcept>

#include "http/syntax.h"

namespace coffer::http {
namespace {

/// As recv(2), so 0 when the server has closed the connection and not reset it.
ssize_t received_by(SSL* tls, std::span<char> out) {
  ERR_clear_error();
  errno = 0;
  const int got = SSL_read(tls, out.data(), static_cast<int>(out.size()));
  if (got > 0) return got;
  const int error = SSL_get_error(tls, got);
  // Between records, and within one.
  const bool is_cut = (error == SSL_ERROR_SSL &&
                       ERR_GET_REASON(ERR_peek_error()) == SSL_R_UNEXPECTED_EOF_WHILE_READING) ||
                      (error == SSL_ERROR_SYSCALL && errno == 0);
  ERR_clear_error();
  return error == SSL_ERROR_ZERO_RETURN || is_cut ? 0 : -1;
}

}  // namespace

bool tests_http2() {
  return std::getenv("COFFER_TEST_HTTP2") != nullptr;
}

bool tests_tls() {
  return tests_http2() || std::getenv("COFFER_TEST_TLS") != nullptr;
}

TestClient::TestClient(std::uint16_t port)
    : socket_(::socket(AF_INET, SOCK_STREAM, 0)), tls_(nullptr, &SSL_free) {
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
  const int on = 1;  // Small frames must not wait for those before.
  if (tests_http2()) ::setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  if (tests_tls()) begin_tls();
}

void TestClient::begin_tls() {
  std::signal(SIGPIPE, SIG_IGN);  // OpenSSL writes without a flag against it.
  SSL_CTX* const context = SSL_CTX_new(TLS_client_method());
  tls_.reset(SSL_new(context));
  SSL_CTX_free(context);
  SSL_set_fd(tls_.get(), socket_);
  if (tests_http2()) {
    const unsigned char protocols[] = {2, 'h', '2'};
    SSL_set_alpn_protos(tls_.get(), protocols, sizeof protocols);
    http2_.emplace();
  }
  if (SSL_connect(tls_.get()) != 1) tls_.reset();  // The next read tells it.
}

TestClient::TestClient(const std::filesystem::path& socket)
    : socket_(::socket(AF_UNIX, SOCK_STREAM, 0)), tls_(nullptr, &SSL_free) {
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
  return http2_ ? send_by_http2(bytes) : send_raw(bytes);
}

/// Reads as long as a body waits for the server.
bool TestClient::send_by_http2(std::string_view bytes) {
  http2_->take_request(bytes);
  if (!send_raw(http2_->take_output())) return false;
  while (http2_->has_unsent()) {
    if (!fill()) return false;
  }
  return true;
}

bool TestClient::send_raw(std::string_view bytes) {
  while (!bytes.empty()) {
    const auto sent = tls_ ? SSL_write(tls_.get(), bytes.data(), static_cast<int>(bytes.size()))
                           : ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return false;  // It may have closed already; the answer says why.
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

void TestClient::end_tls() {
  if (tls_) SSL_shutdown(tls_.get());
}

void TestClient::end_tls_with(std::string_view bytes) {
  int corked = 1;
  ::setsockopt(socket_, IPPROTO_TCP, TCP_CORK, &corked, sizeof corked);
  send(bytes);
  end_tls();
  corked = 0;
  ::setsockopt(socket_, IPPROTO_TCP, TCP_CORK, &corked, sizeof corked);
}

void TestClient::finish_sending() {
  end_tls();
  ::shutdown(socket_, SHUT_WR);
}

bool TestClient::fill() {
  if (http2_ && http2_->is_cut()) return false;
  char bytes[65536];
  const auto got = tls_ ? received_by(tls_.get(), bytes) : ::recv(socket_, bytes, sizeof bytes, 0);
  if (got < 0) throw std::runtime_error("the connection was reset or nothing came");
  if (!http2_) {
    buffer_.append(bytes, static_cast<std::size_t>(got));
    return got > 0;
  }
  http2_->receive({bytes, static_cast<std::size_t>(got)});
  send_raw(http2_->take_output());
  const std::string responses = http2_->take_responses();
  buffer_ += responses;
  return got > 0 && (!http2_->is_cut() || !responses.empty());
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

bool TestClient::has_ended_tls() const {
  return tls_ && (SSL_get_shutdown(tls_.get()) & SSL_RECEIVED_SHUTDOWN) != 0;
}

void TestClient::take_some() {
  char unused[65536];
  ::recv(socket_, unused, sizeof unused, MSG_DONTWAIT);
}

bool TestClient::is_closed() {
  while (buffer_.empty()) {
    if (!fill()) return true;
  }
  return false;
}

std::string TestClient::certificate() const {
  X509* const certificate = tls_ ? SSL_get0_peer_certificate(tls_.get()) : nullptr;
  unsigned char* bytes = nullptr;
  const int size = certificate == nullptr ? 0 : i2d_X509(certificate, &bytes);
  std::string text(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(size));
  OPENSSL_free(bytes);
  return text;
}

}  // namespace coffer::http
