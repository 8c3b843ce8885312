#include "http/worker.h"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <csignal>

#include "base/log.h"
#include "http/connection.h"

namespace coffer::http {
namespace {

/// Beyond this many connections more than allowed, nobody is told why any more.
constexpr std::size_t kTurnAwayLimit = 256;
constexpr std::chrono::milliseconds kAcceptPause{100};

/// How often deadlines are looked at: an eighth of the shortest is late enough not to matter.
std::chrono::milliseconds tick_period_of(const ServerOptions& options) {
  const auto shortest = std::min(
      {options.header_timeout, options.idle_timeout, options.stall_timeout, options.drain_timeout});
  return std::clamp(shortest / 8, std::chrono::milliseconds(2), std::chrono::milliseconds(250));
}

/// sendfile(2) has no flag against this signal; blocked, it leaves only the error.
void block_broken_pipe_signal() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
}

}  // namespace

Worker::Worker(const ServerOptions& options, const Router& router, const Cors& cors, Census& census)
    : tick_period_(tick_period_of(options)), state_(options, router, cors), census_(census) {}

Result<void> Worker::listen(const asio::ip::tcp::endpoint& endpoint, bool first) {
  auto acceptor = listen_at(context_, endpoint, first);
  if (!acceptor) return failure_of(std::move(acceptor));
  acceptor_ = std::move(*acceptor);
  return {};
}

std::uint16_t Worker::port() const {
  return acceptor_->local_endpoint().port();
}

void Worker::start() {
  group_.spawn(context_.get_executor(), accept());
  thread_ = std::thread([this] { run(); });
}

void Worker::run() {
  block_broken_pipe_signal();
  context_.run();
}

void Worker::join() {
  if (thread_.joinable()) thread_.join();
}

Task<void> Worker::accept() {
  while (!state_.stopping) {
    boost::system::error_code error;
    Socket socket =
        co_await acceptor_->async_accept(asio::redirect_error(asio::use_awaitable, error));
    if (state_.stopping || error == asio::error::operation_aborted) co_return;
    if (!error) {
      take(std::move(socket));
    } else if (error != asio::error::connection_aborted) {
      // Out of descriptors, most likely: wait until some are free again.
      spdlog::warn("cannot accept a connection: {}", error.message());
      asio::steady_timer pause(context_, kAcceptPause);
      co_await pause.async_wait(asio::redirect_error(asio::use_awaitable, error));
    }
  }
}

void Worker::take(Socket socket) {
  boost::system::error_code error;
  const auto remote = socket.remote_endpoint(error);
  if (error) return;
  Census::Ticket ticket(census_);
  const std::size_t allowed = state_.options.max_connections;
  const std::size_t count = census_.count();
  if (count > allowed + kTurnAwayLimit) return;
  group_.spawn(context_.get_executor(), serve(std::move(socket), remote.address().to_string(),
                                              std::move(ticket), count > allowed));
}

Task<void> Worker::serve(Socket socket, std::string remote_address, Census::Ticket ticket,
                         bool full) {
  const Census::Ticket counted(std::move(ticket));
  Connection connection(state_, std::move(socket), std::move(remote_address));
  arm_ticker();
  try {
    if (full) {
      co_await connection.turn_away();
    } else {
      co_await connection.run();
    }
  } catch (const std::exception& error) {
    if (!connection.is_cut()) spdlog::error("a connection broke: {}", error.what());
  }
}

void Worker::arm_ticker() {
  // Without work the thread is about to end and must not wait for a tick.
  if (ticking_ || !work_) return;
  ticking_ = true;
  ticker_.expires_after(tick_period_);
  ticker_.async_wait([this](boost::system::error_code) { tick(); });
}

void Worker::tick() {
  ticking_ = false;
  const auto now = std::chrono::steady_clock::now();
  for (Connection* connection : state_.connections) connection->expire(now);
  if (!state_.connections.empty()) arm_ticker();
}

std::future<void> Worker::begin_stop() {
  auto promise = std::make_shared<std::promise<void>>();
  asio::post(context_, [this, promise] {
    state_.stopping = true;
    acceptor_->close();
    for (Connection* connection : state_.connections) {
      if (connection->is_between_requests()) connection->cut();
    }
    promise->set_value();
  });
  return promise->get_future();
}

std::future<std::size_t> Worker::cut_all() {
  auto promise = std::make_shared<std::promise<std::size_t>>();
  asio::post(context_, [this, promise] {
    std::size_t busy = 0;
    for (Connection* connection : state_.connections) {
      busy += connection->is_busy();
      connection->cut();
    }
    group_.cancel();
    ticker_.cancel();
    work_.reset();
    promise->set_value(busy);
  });
  return promise->get_future();
}

}  // namespace coffer::http
