#include "backends/ftp/transport.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace coffer::ftp {
namespace {

using storage::Deadlines;

std::uint16_t port_of(const sockaddr& address) {
  // Both families keep it in the same place, but say so in types of their own.
  if (address.sa_family == AF_INET6) {
    return ntohs(reinterpret_cast<const sockaddr_in6&>(address).sin6_port);
  }
  return ntohs(reinterpret_cast<const sockaddr_in&>(address).sin_port);
}

struct Wait {
  std::chrono::milliseconds Deadlines::* limit;
  const char* message;
};
/// In the order of the phases.
constexpr Wait kWaits[] = {
    {&Deadlines::connect, "The FTP server did not accept a connection in time."},
    {&Deadlines::login, "The FTP server did not finish the login in time."},
    {&Deadlines::reply, "The FTP server did not answer in time."},
    {&Deadlines::stall, "The FTP server stopped in the middle of a transfer."},
};

}  // namespace

Sockets::Sockets(storage::MayConnect may_connect, std::uint16_t port)
    : may_connect_(std::move(may_connect)), port_(port) {}

void Sockets::attach(CURL* handle) {
  curl::easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, &Sockets::open);
  curl::easy_setopt(handle, CURLOPT_OPENSOCKETDATA, this);
  curl::easy_setopt(handle, CURLOPT_CLOSESOCKETFUNCTION, &Sockets::close);
  curl::easy_setopt(handle, CURLOPT_CLOSESOCKETDATA, this);
}

bool Sockets::disturbed() const {
  for (const auto socket : open_) {
    pollfd watched{.fd = socket, .events = POLLIN, .revents = 0};
    if (::poll(&watched, 1, 0) != 0) return true;
  }
  return open_.empty();
}

bool Sockets::has_data() const {
  if (open_.size() < 2) return false;  // The first one is for commands.
  char first = 0;
  return ::recv(open_.back(), &first, sizeof first, MSG_PEEK | MSG_DONTWAIT) > 0;
}

void Sockets::stop_receiving() {
  for (const auto socket : open_) ::shutdown(socket, SHUT_RD);
}

curl_socket_t Sockets::open(void* self, curlsocktype purpose, curl_sockaddr* address) {
  if (purpose != CURLSOCKTYPE_IPCXN) return CURL_SOCKET_BAD;
  return static_cast<Sockets*>(self)->open_to(*address);
}

curl_socket_t Sockets::open_to(const curl_sockaddr& address) {
  if (address.family != AF_INET && address.family != AF_INET6) return CURL_SOCKET_BAD;
  if (!may_open_control_ && port_of(address.addr) == port_) return CURL_SOCKET_BAD;
  if (may_connect_ && !may_connect_(address.addr)) {
    refused_address_ = true;
    return CURL_SOCKET_BAD;
  }
  const int socket = ::socket(address.family, address.socktype | SOCK_CLOEXEC, address.protocol);
  if (socket < 0) {
    lack_ = lack_of(errno);
    return CURL_SOCKET_BAD;
  }
  open_.push_back(socket);
  return socket;
}

int Sockets::close(void* self, curl_socket_t socket) {
  std::erase(static_cast<Sockets*>(self)->open_, socket);
  return ::close(socket);
}

void InactivityTimer::begin(Phase phase) {
  enter(phase);
  begun_at_ = since_;
  taken_bytes_ = 0;
  is_listing_ = false;
}

void InactivityTimer::enter(Phase phase) {
  phase_ = phase;
  renew();
}

bool InactivityTimer::expired() const {
  if (limits_.ending.stop_requested()) return true;
  const Time now = std::chrono::steady_clock::now();
  return now - since_ > limits_.*kWaits[std::to_underlying(phase_)].limit || is_too_slow(now);
}

bool InactivityTimer::is_too_slow(Time now) const {
  return is_listing_ && !limits_.listing.allows(now - begun_at_, taken_bytes_);
}

Error InactivityTimer::error() const {
  if (limits_.ending.stop_requested()) return storage::fail_ending().error();
  if (is_too_slow(std::chrono::steady_clock::now())) {
    return {ErrorCode::timed_out, "The FTP server sends a listing too slowly."};
  }
  return {ErrorCode::timed_out, kWaits[std::to_underlying(phase_)].message};
}

bool is_lost_connection(CURLcode code) {
  switch (code) {
    case CURLE_SEND_ERROR:
    case CURLE_RECV_ERROR:
    case CURLE_GOT_NOTHING:
    case CURLE_COULDNT_CONNECT:  // Nothing but a login may connect.
    case CURLE_PARTIAL_FILE:
    case CURLE_WEIRD_SERVER_REPLY:
      return true;
    default:
      return false;
  }
}

Error transport_error(CURLcode code, const std::string& host) {
  switch (code) {
    case CURLE_COULDNT_RESOLVE_HOST:
      return {ErrorCode::unavailable, "The FTP server's name is not known: " + host + "."};
    case CURLE_COULDNT_CONNECT:
      return {ErrorCode::unavailable, "The FTP server cannot be reached."};
    case CURLE_LOGIN_DENIED:
    case CURLE_REMOTE_ACCESS_DENIED:
      return {ErrorCode::unavailable, "The FTP server refused the login."};
    case CURLE_USE_SSL_FAILED:
      return {ErrorCode::unavailable, "The FTP server does not offer TLS."};
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_ISSUER_ERROR:
      return {ErrorCode::unavailable, "The FTP server's certificate is not trusted."};
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_SSL_CIPHER:
    case CURLE_SSL_SHUTDOWN_FAILED:
      return {ErrorCode::unavailable, "The TLS connection to the FTP server failed."};
    case CURLE_SSL_CACERT_BADFILE:
      return {ErrorCode::failed, "The certificates to trust cannot be read."};
    case CURLE_OPERATION_TIMEDOUT:
    case CURLE_FTP_ACCEPT_TIMEOUT:
      return {ErrorCode::timed_out, "The FTP server did not answer in time."};
    case CURLE_FTP_WEIRD_PASV_REPLY:
    case CURLE_FTP_WEIRD_227_FORMAT:
    case CURLE_FTP_CANT_GET_HOST:
      return {ErrorCode::unavailable, "The FTP server does not open a data connection."};
    case CURLE_FTP_COULDNT_USE_REST:
    case CURLE_RANGE_ERROR:
    case CURLE_BAD_DOWNLOAD_RESUME:
      return {ErrorCode::refused, "The FTP server cannot read from the middle of a file."};
    case CURLE_OUT_OF_MEMORY:
      return {ErrorCode::failed, "There is too little memory."};
    default:
      return {ErrorCode::unavailable, "The connection to the FTP server broke."};
  }
}

}  // namespace coffer::ftp
