#include "http/transport.h"

#include <sys/sendfile.h>
#include <sys/socket.h>

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/asio/redirect_error.hpp>
#include <cerrno>

namespace coffer::http {
namespace {

bool would_block() {
  return errno == EAGAIN || errno == EWOULDBLOCK;
}

}  // namespace

Transport::Transport(Socket socket, std::chrono::milliseconds stall_timeout)
    : socket_(std::move(socket)), stall_timeout_(stall_timeout) {
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

Task<Io> Transport::wait_writable() {
  deadline_ = std::chrono::steady_clock::now() + stall_timeout_;
  boost::system::error_code error;
  co_await socket_.async_wait(Socket::wait_write, asio::redirect_error(asio::use_awaitable, error));
  const Io result = outcome();
  if (result != Io::done) co_return result;
  co_return error ? Io::ended : Io::done;
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
