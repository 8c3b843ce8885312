#include "http/transport.h"

#include <linux/sockios.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/redirect_error.hpp>
#include <cerrno>

namespace coffer::http {
namespace {

constexpr std::size_t kDropBytes = 1024 * 1024;
constexpr std::size_t kFileBlockBytes = 64 * 1024;
constexpr std::size_t kFullRecordBytes = 16 * 1024;
constexpr std::string_view kSpeakTls =
    "HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain\r\nContent-Length: 56\r\n"
    "Connection: close\r\n\r\nThis port speaks TLS: begin the address with https://.\r\n";

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

Transport::Transport(Socket socket, const TransferLimits& limits,
                     std::shared_ptr<const TlsContext> tls)
    : socket_(std::move(socket)), meter_(limits) {
  boost::system::error_code ignored;
  socket_.set_option(asio::ip::tcp::no_delay(true), ignored);
  socket_.non_blocking(true, ignored);
  if (tls) tls_.emplace(*tls, socket_.native_handle());
}

void Transport::end_tls() {
  if (tls_) tls_->finish_writing();
}

Io Transport::outcome() {
  deadline_ = Instant::max();
  if (cut_) return Io::ended;
  return std::exchange(expired_, false) ? Io::timed_out : Io::done;
}

Task<Io> Transport::wait_for(Socket::wait_type what, Instant deadline) {
  deadline_ = deadline;
  boost::system::error_code error;
  co_await socket_.async_wait(what, asio::redirect_error(asio::use_awaitable, error));
  const Io result = outcome();
  co_return result == Io::done&& error ? Io::ended : result;
}

/// For a step of TLS that could not be done yet.
Task<Io> Transport::wait_for(TlsStep::State wanted, Instant deadline) {
  using enum TlsStep::State;
  if (cut_ || (wanted != wants_read && wanted != wants_write)) co_return Io::ended;
  co_return co_await wait_for(wanted == wants_read ? Socket::wait_read : Socket::wait_write,
                              deadline);
}

Task<Io> Transport::begin_tls(Instant deadline) {
  for (;;) {
    const TlsStep step = tls_->shake_hands();
    if (step.state == TlsStep::State::done) co_return Io::done;
    if (step.state == TlsStep::State::plain_http) {
      ::send(socket_.native_handle(), kSpeakTls.data(), kSpeakTls.size(), MSG_NOSIGNAL);
      finish_sending();
      co_return Io::ended;
    }
    if (const Io waited = co_await wait_for(step.state, deadline); waited != Io::done) {
      co_return waited;
    }
  }
}

Task<Io> Transport::receive_tls(InputBuffer& into, Instant deadline) {
  for (;;) {
    const TlsStep step = tls_->read(into.space());
    into.commit(step.bytes);
    if (step.state == TlsStep::State::done) co_return Io::done;
    if (const Io waited = co_await wait_for(step.state, deadline); waited != Io::done) {
      co_return waited;
    }
  }
}

Task<Io> Transport::drop_tls(std::uint64_t& dropped_bytes, Instant deadline) {
  std::array<char, 16 * 1024> unused;
  for (;;) {
    const TlsStep step = tls_->read(unused);
    dropped_bytes += step.bytes;
    if (step.state == TlsStep::State::done) co_return Io::done;
    if (const Io waited = co_await wait_for(step.state, deadline); waited != Io::done) {
      co_return waited;
    }
  }
}

Task<Io> Transport::receive(InputBuffer& into, Instant deadline, bool try_first) {
  const auto space = into.space();
  if (cut_) co_return Io::ended;
  if (tls_) co_return co_await receive_tls(into, deadline);
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

/// One step gives the bytes of one record at most. Behind one that is not full there seldom is
/// another.
TlsStep Transport::receive_all_tls(InputBuffer& into) {
  TlsStep step;
  do {
    step = tls_->read(into.space());
    into.commit(step.bytes);
  } while (step.bytes >= kFullRecordBytes && !into.space().empty());
  return step;
}

Task<Io> Transport::receive_beside(InputBuffer& into) {
  const TlsStep step = receive_all_tls(into);
  if (cut_) co_return Io::ended;
  if (!into.empty()) co_return Io::done;
  const bool is_open =
      step.state == TlsStep::State::wants_read || step.state == TlsStep::State::wants_write;
  if (!is_open) co_return Io::ended;
  const auto what =
      step.state == TlsStep::State::wants_read ? Socket::wait_read : Socket::wait_write;
  boost::system::error_code error;
  co_await socket_.async_wait(what, asio::redirect_error(asio::use_awaitable, error));
  if (cut_ || (error && error != asio::error::operation_aborted)) co_return Io::ended;
  receive_all_tls(into);
  co_return Io::done;
}

void Transport::stop_waiting() {
  boost::system::error_code ignored;
  socket_.cancel(ignored);
}

Task<Io> Transport::receive_body(InputBuffer& into) {
  const Instant begun = std::chrono::steady_clock::now();
  const std::size_t before = into.data().size();
  const Io received = co_await receive(into, meter_.deadline(begun), true);
  const bool fast = meter_.counts_received(begun, into.data().size() - before);
  co_return received == Io::done && !fast ? Io::timed_out : received;
}

std::size_t Transport::arrived_bytes() {
  int arrived = 0;
  const bool is_known = ::ioctl(socket_.native_handle(), FIONREAD, &arrived) == 0;
  return (is_known ? static_cast<std::size_t>(arrived) : 0) + (tls_ ? tls_->pending() : 0);
}

Task<Io> Transport::drop(std::uint64_t& dropped_bytes, Instant deadline) {
  if (cut_) co_return Io::ended;
  if (tls_) co_return co_await drop_tls(dropped_bytes, deadline);
  if (const Io waited = co_await wait_for(Socket::wait_read, deadline); waited != Io::done) {
    co_return waited;
  }
  const ssize_t got = drop_received(socket_.native_handle());
  if (got < 0 && (would_block() || errno == EINTR)) co_return Io::done;
  if (got <= 0) co_return Io::ended;
  dropped_bytes += static_cast<std::uint64_t>(got);
  co_return Io::done;
}

std::uint64_t Transport::delivered_bytes() {
  int on_the_way = 0;
  if (::ioctl(socket_.native_handle(), SIOCOUTQ, &on_the_way) != 0) return bytes_delivered_;
  const std::uint64_t sent = tls_ ? tls_->socket_bytes() : bytes_sent_;
  return sent - static_cast<std::uint64_t>(on_the_way);
}

/// The number of bytes that the peer has confirmed since the last call.
std::uint64_t Transport::newly_delivered_bytes() {
  const std::uint64_t delivered = delivered_bytes();
  return delivered - std::exchange(bytes_delivered_, delivered);
}

/// A socket is writable only once much of its buffer is free, possibly megabytes: a slow peer may
/// take long to get there, although it takes bytes all the time.
Task<Io> Transport::wait_writable() {
  for (;;) {
    const Instant begun = std::chrono::steady_clock::now();
    deadline_ = meter_.deadline(begun);
    boost::system::error_code error;
    co_await socket_.async_wait(Socket::wait_write,
                                asio::redirect_error(asio::use_awaitable, error));
    const Io result = outcome();
    if (result == Io::ended || (result == Io::done && error)) co_return Io::ended;
    const std::uint64_t delivered = newly_delivered_bytes();
    if (!meter_.counts_taken(begun, result == Io::timed_out, delivered)) co_return Io::timed_out;
    if (result == Io::done) co_return Io::done;
  }
}

Task<Io> Transport::send_tls(std::string_view bytes) {
  while (!bytes.empty()) {
    if (cut_) co_return Io::ended;
    const TlsStep step = tls_->write(bytes);
    bytes.remove_prefix(step.bytes);
    bytes_sent_ += step.bytes;
    if (step.state == TlsStep::State::done) continue;
    const bool is_full = step.state == TlsStep::State::wants_write;
    const Instant deadline = meter_.deadline(std::chrono::steady_clock::now());
    const Io waited = is_full ? co_await wait_writable() : co_await wait_for(step.state, deadline);
    if (waited != Io::done) co_return waited;
  }
  co_return Io::done;
}

Task<Io> Transport::send_file_tls(int descriptor, std::uint64_t offset, std::uint64_t length) {
  const auto buffer = std::make_unique_for_overwrite<char[]>(kFileBlockBytes);
  while (length > 0) {
    const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(length, kFileBlockBytes));
    const ssize_t got = ::pread(descriptor, buffer.get(), wanted, static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) co_return Io::ended;
    const Io sent = co_await send_tls({buffer.get(), static_cast<std::size_t>(got)});
    if (sent != Io::done) co_return sent;
    offset += static_cast<std::uint64_t>(got);
    length -= static_cast<std::uint64_t>(got);
  }
  co_return Io::done;
}

Task<Io> Transport::send(std::string_view bytes, bool more) {
  if (tls_) co_return co_await send_tls(bytes);
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
  if (tls_) co_return co_await send_file_tls(descriptor, offset, length);
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

void Transport::watch_peer(std::function<void()> left) {
  peer_watch_ = std::make_shared<std::function<void()>>(std::move(left));
  if (!tls_ || !tls_->has_taken()) return go_on_watching();
  // What was taken from the socket may be its end.
  const auto watch = peer_watch_;
  if (sees_peer_leave()) (*watch)();
}

// The handler may run after the end of the watch, and of the transport.
void Transport::go_on_watching() {
  auto handler = [watch = std::weak_ptr(peer_watch_), this](boost::system::error_code error) {
    const auto current = watch.lock();
    if (!current) return;
    // A deadline of another wait has passed, which ends all of the socket's.
    if (error == asio::error::operation_aborted && !cut_) return go_on_watching();
    if (error || sees_peer_leave()) (*current)();
  };
  socket_.async_wait(Socket::wait_read, std::move(handler));
}

/// Called when the socket is readable. What came may be of TLS itself: then the watch goes on.
bool Transport::sees_peer_leave() {
  if (has_peer_left()) return true;
  if (!tls_) return false;
  const TlsStep step = tls_->peek();
  if (step.state == TlsStep::State::wants_read) go_on_watching();
  return step.state == TlsStep::State::ended;
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
  end_tls();
  boost::system::error_code ignored;
  socket_.shutdown(Socket::shutdown_send, ignored);
}

void Transport::expire(Instant now) {
  if (tls_) tls_->rest();
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
