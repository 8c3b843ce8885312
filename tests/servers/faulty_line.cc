#include "servers/faulty_line.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <span>
#include <stdexcept>

#include "servers/loopback.h"

namespace coffer::servers {
namespace {

void send_at_once(int socket) {
  const int on = 1;
  ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

bool send_all(int socket, std::span<const char> bytes) {
  while (!bytes.empty()) {
    const auto sent = ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(sent));
  }
  return true;
}

}  // namespace

FaultyLine::FaultyLine(std::uint16_t server_port)
    : server_port_(server_port), listener_(listen_on_loopback()), port_(port_of(listener_)) {
  thread_ = std::jthread([this] { accept_all(); });
}

FaultyLine::~FaultyLine() {
  ::shutdown(listener_, SHUT_RDWR);
  thread_.join();
  cut();
  for (auto& link : links_) {
    link.thread.join();
    ::close(link.client);
    ::close(link.server);
  }
  ::close(listener_);
}

void FaultyLine::fail(Fault fault, Way way, std::uint64_t after_bytes) {
  {
    const std::lock_guard lock(mutex_);
    order_ = {fault, way, after_bytes};
  }
  fail_standing(fault, way, after_bytes);
}

void FaultyLine::fail_standing(Fault fault, Way way, std::uint64_t after_bytes) {
  const std::lock_guard lock(mutex_);
  for (auto& link : links_) link.order = {fault, way, after_bytes};
}

void FaultyLine::cut() {
  const std::lock_guard lock(mutex_);
  for (auto& link : links_) {
    ::shutdown(link.client, SHUT_RDWR);
    ::shutdown(link.server, SHUT_RDWR);
  }
}

int FaultyLine::connections() const {
  const std::lock_guard lock(mutex_);
  return connections_;
}

int FaultyLine::standing() const {
  const std::lock_guard lock(mutex_);
  return static_cast<int>(std::ranges::count(links_, false, &Link::is_over));
}

std::uint64_t FaultyLine::passed(Way way) const {
  const std::lock_guard lock(mutex_);
  return passed_[static_cast<std::size_t>(way)];
}

void FaultyLine::accept_all() {
  for (;;) {
    const int client = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (client < 0) return;
    const int server = connect_to_loopback(server_port_);
    if (server < 0) {
      ::close(client);
      continue;
    }
    send_at_once(client);
    send_at_once(server);
    const std::lock_guard lock(mutex_);
    ++connections_;
    auto& link = links_.emplace_back(client, server, order_);
    link.thread = std::jthread([this, &link] { relay(link); });
  }
}

void FaultyLine::relay(Link& link) {
  pollfd ends[] = {{link.server, POLLIN, 0}, {link.client, POLLIN, 0}};
  while (!link.is_stalled && ::poll(ends, 2, -1) > 0) {
    if (ends[0].revents != 0 && !pass(link, Way::to_client)) break;
    if (ends[1].revents != 0 && !link.is_stalled && !pass(link, Way::to_server)) break;
  }
  if (link.is_stalled) return;
  ::shutdown(link.client, SHUT_RDWR);
  ::shutdown(link.server, SHUT_RDWR);
  const std::lock_guard lock(mutex_);
  link.is_over = true;
}

bool FaultyLine::pass(Link& link, Way way) {
  std::array<char, 16 * 1024> buffer;
  const int from = way == Way::to_client ? link.server : link.client;
  const auto count = ::recv(from, buffer.data(), buffer.size(), 0);
  return count > 0 && pass_on(link, way, std::span(buffer).first(static_cast<std::size_t>(count)));
}

bool FaultyLine::pass_on(Link& link, Way way, std::span<char> bytes) {
  const int to = way == Way::to_client ? link.client : link.server;
  Fault fault = Fault::none;
  std::size_t whole = bytes.size();
  {
    const std::lock_guard lock(mutex_);
    passed_[static_cast<std::size_t>(way)] += bytes.size();
    if (link.order.fault != Fault::none && link.order.way == way) {
      whole = std::min<std::uint64_t>(whole, link.order.after_bytes);
      link.order.after_bytes -= whole;
      if (whole < bytes.size()) fault = link.order.fault;
    }
  }
  if (fault == Fault::garble) {
    for (char& byte : bytes.subspan(whole)) byte = static_cast<char>(byte ^ 0x10);
    return send_all(to, bytes);
  }
  link.is_stalled = fault == Fault::stall;
  return send_all(to, bytes.first(whole)) && fault != Fault::cut;
}

}  // namespace coffer::servers
