#include "http/transport.h"

#include <linux/sockios.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/sendfile.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/redirect_error.hpp>
#include <cerrno>

namespace coffer::http {
namespace {

constexpr std::size_t kDropBytes = 1024 * 1024;

bool would_block() {
  return errno == EAGAIN || errno == EWOULDBLOCK;
}

/// The kernel drops bytes of TCP without a copy (tcp(7)); bytes of a Unix socket are read.
ssize_t drop_received(int socket) {
  const ssize_t got = ::recv(socket, nullptr, kDropBytes, MSG_TRUNC);
  if (got >= 0 || errno != EFAULT) return got;
  std::array<char, 16 * 1024> unused{};
  return ::recv(socket, unused.data(), unused.size(), 0);
}

}  // namespace

Transport::Transport(Socket socket, const TransferLimits& limits)
    : socket_(std::move(socket)),
      limits_(limits),
      rate_(limits.min_rate_bytes, limits.min_rate_window) {
  boost::system::error_code ignored;
  socket_.set_option(asio::ip::tcp::no_delay(true), ignored);
  socket_.non_blocking(true, ignored);
}

Io Transport::outcome() {
  deadline_ = Instant::max();
  if (cut_) return Io::ended;
  return std::exchange(expired_, false) ? Io::timed_out : Io::done;
}

Task<Io> Transport::receive(InputBuffer& into, Instant deadline, bool try_first) {
  const auto space = into.space();
  if (cut_) co_return Io::ended;
  if (try_first) {
    const ssize_t got = ::recv(socket_.native_handle(), space.data(), space.size(), 0);
    if (got > 0) into.commit(static_cast<std::size_t>(got));
    if (got > 0) co_return Io::done;
    if (got == 0 || (!would_block() && errno != EINTR)) co_return Io::ended;
  }
  deadline_ = deadline;
  boost::system::error_code error;
  const std::size_t got = co_await socket_.async_read_some(
      asio::buffer(space.data(), space.size()), asio::redirect_error(asio::use_awaitable, error));
  const Io result = outcome();
  into.commit(got);
  if (got > 0 && result == Io::timed_out) co_return Io::done;
  if (result != Io::done) co_return result;
  co_return error ? Io::ended : Io::done;
}

Task<Io> Transport::receive_body(InputBuffer& into) {
  const Instant begun = std::chrono::steady_clock::now();
  const std::size_t before = into.data().size();
  const Io received = co_await receive(into, begun + limits_.stall_timeout, true);
  const std::size_t got = into.data().size() - before;
  const bool fast = rate_.keeps_up(std::chrono::steady_clock::now() - begun, got);
  co_return received == Io::done && !fast ? Io::timed_out : received;
}

std::size_t Transport::arrived_bytes() {
  int arrived = 0;
  return ::ioctl(socket_.native_handle(), FIONREAD, &arrived) == 0
             ? static_cast<std::size_t>(arrived)
             : 0;
}

Task<Io> Transport::drop(std::uint64_t& dropped_bytes, Instant deadline) {
  if (cut_) co_return Io::ended;
  deadline_ = deadline;
  boost::system::error_code error;
  co_await socket_.async_wait(Socket::wait_read, asio::redirect_error(asio::use_awaitable, error));
  const Io result = outcome();
  if (result != Io::done) co_return result;
  const ssize_t got = drop_received(socket_.native_handle());
  if (got < 0 && (would_block() || errno == EINTR)) co_return Io::done;
  if (got <= 0) co_return Io::ended;
  dropped_bytes += static_cast<std::uint64_t>(got);
  co_return Io::done;
}

/// The number of bytes that the peer has confirmed since the last call.
std::uint64_t Transport::newly_delivered_bytes() {
  int on_the_way = 0;
  if (::ioctl(socket_.native_handle(), SIOCOUTQ, &on_the_way) != 0) return 0;
  const std::uint64_t delivered = bytes_sent_ - static_cast<std::uint64_t>(on_the_way);
  return delivered - std::exchange(bytes_delivered_, delivered);
}

void Transport::let_pause(bool may_pause) {
  may_pause_ = may_pause;
  stalled_since_.reset();
}

/// Returns false if the peer must be cut off. A peer that has lagged goes on once it takes bytes at
/// the least rate again: a byte now and then is not enough.
bool Transport::lets_lag(bool lags, Instant begun, std::uint64_t delivered_bytes) {
  if (lags) {
    if (!stalled_since_) stalled_since_ = begun;
    return may_pause_;
  }
  const std::chrono::duration<double> waited = std::chrono::steady_clock::now() - begun;
  const double least = static_cast<double>(limits_.min_rate_bytes) * waited.count();
  if (static_cast<double>(delivered_bytes) >= least) stalled_since_.reset();
  return true;
}

/// A socket is writable only once much of its buffer is free, possibly megabytes: a slow peer may
/// take long to get there, although it takes bytes all the time.
Task<Io> Transport::wait_writable() {
  for (;;) {
    const Instant begun = std::chrono::steady_clock::now();
    deadline_ = begun + limits_.stall_timeout;
    boost::system::error_code error;
    co_await socket_.async_wait(Socket::wait_write,
                                asio::redirect_error(asio::use_awaitable, error));
    const Io result = outcome();
    if (result == Io::ended || (result == Io::done && error)) co_return Io::ended;
    const std::uint64_t delivered = newly_delivered_bytes();
    const bool fast = rate_.keeps_up(std::chrono::steady_clock::now() - begun, delivered);
    const bool lags = !fast || (result == Io::timed_out && delivered == 0);
    if (!lets_lag(lags, begun, delivered)) co_return Io::timed_out;
    if (result == Io::done) co_return Io::done;
  }
}

Task<Io> Transport::send(std::string_view bytes, bool more) {
  const int flags = MSG_NOSIGNAL | (more ? MSG_MORE : 0);
  while (!bytes.empty()) {
    if (cut_) co_return Io::ended;
    const ssize_t sent = ::send(socket_.native_handle(), bytes.data(), bytes.size(), flags);
    if (sent >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(sent));
      bytes_sent_ += static_cast<std::uint64_t>(sent);
    } else if (would_block()) {
      const Io waited = co_await wait_writable();
      if (waited != Io::done) co_return waited;
    } else if (errno != EINTR) {
      co_return Io::ended;
    }
  }
  co_return Io::done;
}

Task<Io> Transport::send_file(int descriptor, std::uint64_t offset, std::uint64_t length) {
  auto at = static_cast<off_t>(offset);
  while (length > 0) {
    if (cut_) co_return Io::ended;
    const ssize_t sent = ::sendfile(socket_.native_handle(), descriptor, &at, length);
    if (sent > 0) {
      length -= static_cast<std::uint64_t>(sent);
      bytes_sent_ += static_cast<std::uint64_t>(sent);
    } else if (sent < 0 && would_block()) {
      const Io waited = co_await wait_writable();
      if (waited != Io::done) co_return waited;
    } else if (sent == 0 || errno != EINTR) {
      co_return Io::ended;
    }
  }
  co_return Io::done;
}

void Transport::cork(bool corked) {
  const int value = corked ? 1 : 0;
  ::setsockopt(socket_.native_handle(), IPPROTO_TCP, TCP_CORK, &value, sizeof value);
}

bool Transport::has_peer_left() {
  ::pollfd socket{socket_.native_handle(), POLLRDHUP, 0};
  return cut_ || ::poll(&socket, 1, 0) > 0;
}

// The handler may run after the end of the watch, and of the transport.
void Transport::watch_peer(std::function<void()> left) {
  peer_watch_ = std::make_shared<std::function<void()>>(std::move(left));
  auto handler = [watch = std::weak_ptr(peer_watch_), this](boost::system::error_code error) {
    const auto current = watch.lock();
    if (current && (error || has_peer_left())) (*current)();
  };
  socket_.async_wait(Socket::wait_read, std::move(handler));
}

void Transport::stop_watching_peer() {
  if (!std::exchange(peer_watch_, nullptr)) return;
  boost::system::error_code ignored;
  socket_.cancel(ignored);
}

void Transport::reset_when_closed() {
  // Asio would reset this option when it closes the socket.
  const ::linger none{1, 0};
  ::setsockopt(socket_.native_handle(), SOL_SOCKET, SO_LINGER, &none, sizeof none);
}

void Transport::finish_sending() {
  boost::system::error_code ignored;
  socket_.shutdown(Socket::shutdown_send, ignored);
}

void Transport::expire(Instant now) {
  if (now < deadline_) return;
  expired_ = true;
  deadline_ = Instant::max();
  boost::system::error_code ignored;
  socket_.cancel(ignored);
}

void Transport::cut() {
  cut_ = true;
  boost::system::error_code ignored;
  socket_.cancel(ignored);
}

}  // namespace coffer::http
