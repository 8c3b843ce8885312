#include "backends/ftp/sockets.h"

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

std::uint16_t port_of(const sockaddr& address) {
  // Both families keep it in the same place, but say so in types of their own.
  if (address.sa_family == AF_INET6) {
    return ntohs(reinterpret_cast<const sockaddr_in6&>(address).sin6_port);
  }
  return ntohs(reinterpret_cast<const sockaddr_in&>(address).sin_port);
}

}  // namespace

Sockets::Sockets(storage::MayConnect may_connect, std::uint16_t port)
    : may_connect_(std::move(may_connect)), port_(port) {}

void Sockets::attach(CURL* handle) {
  curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, &Sockets::open);
  curl_easy_setopt(handle, CURLOPT_OPENSOCKETDATA, this);
  curl_easy_setopt(handle, CURLOPT_CLOSESOCKETFUNCTION, &Sockets::close);
  curl_easy_setopt(handle, CURLOPT_CLOSESOCKETDATA, this);
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

}  // namespace coffer::ftp
