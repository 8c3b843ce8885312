#include "http/worker.h"

#include <sys/socket.h>

#include <algorithm>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <csignal>
#include <cstring>
#include <map>
#include <string>

#include "base/log.h"

namespace coffer::http {
namespace {

/// Beyond this many connections more than allowed, a connection is closed without an answer.
std::size_t refusal_limit(std::size_t allowed) {
  return std::min<std::size_t>(256, 4 + allowed / 16);
}

constexpr std::chrono::milliseconds kAcceptPause{100};
/// For a command that has connected to a server that stops, and has sent no request yet.
constexpr std::chrono::seconds kLastSilence{2};

/// The interval between checks of deadlines: an eighth of the shortest deadline is precise enough.
std::chrono::milliseconds tick_period_of(const ServerOptions& options) {
  const auto shortest =
      std::min({options.header_timeout, options.idle_timeout, options.stall_timeout,
                options.drain_timeout, options.drain_stall_timeout});
  return std::clamp(shortest / 8, std::chrono::milliseconds(2), std::chrono::milliseconds(250));
}

/// sendfile(2) has no flag against this signal; blocked, only the error remains.
void block_broken_pipe_signal() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
}

}  // namespace

Worker::Worker(const ServerOptions& options, const Router& router,
               ConnectionCounter& connection_counter, MakeRoomBeside make_room_beside)
    : tick_period_(tick_period_of(options)),
      state_(options, router, group_),
      connection_counter_(connection_counter),
      make_room_beside_(std::move(make_room_beside)) {}

Result<void> Worker::listen(const asio::ip::tcp::endpoint& endpoint, bool first,
                            const TlsSource* tls) {
  TRY(auto acceptor, listen_at(context_, endpoint, first));
  listeners_.push_back({std::move(acceptor), tls});
  return {};
}

Result<void> Worker::listen() {
  TRY(auto acceptor, listen_at(context_, state_.options.socket));
  listeners_.push_back({std::move(acceptor), nullptr});
  return {};
}

std::uint16_t Worker::port() const {
  asio::ip::tcp::endpoint endpoint;
  const auto local = listeners_.back().acceptor.local_endpoint();
  std::memcpy(endpoint.data(), local.data(), std::min(local.size(), endpoint.capacity()));
  return endpoint.port();
}

void Worker::start() {
  for (Listener& listener : listeners_) group_.spawn(context_.get_executor(), accept(listener));
  thread_ = std::thread([this] { run(); });
}

void Worker::run() {
  block_broken_pipe_signal();
  context_.run();
}

void Worker::join() {
  if (thread_.joinable()) thread_.join();
}

Task<void> Worker::accept(Listener& listener) {
  while (!state_.stopping) {
    boost::system::error_code error;
    Socket socket =
        co_await listener.acceptor.async_accept(asio::redirect_error(asio::use_awaitable, error));
    if (error == asio::error::operation_aborted) co_return;
    if (state_.stopping && (error || !is_local())) co_return;
    if (!error) {
      accepts_ = true;
      take(std::move(socket), listener.tls);
    } else if (error != asio::error::connection_aborted) {
      report_accept_failure(error);
      make_room();
      asio::steady_timer pause(context_, kAcceptPause);
      co_await pause.async_wait(asio::redirect_error(asio::use_awaitable, error));
    }
  }
}

/// Takes the connections that wait at the listening Unix socket, which refuses all later ones.
void Worker::accept_rest() {
  Acceptor& acceptor = listeners_.front().acceptor;
  ::shutdown(acceptor.native_handle(), SHUT_RD);
  boost::system::error_code error;
  acceptor.non_blocking(true, error);
  while (!error) {
    Socket socket = acceptor.accept(error);
    if (!error) take(std::move(socket), nullptr);
  }
}

void Worker::limit_silence() {
  silence_.expires_after(kLastSilence);
  silence_.async_wait([this](boost::system::error_code error) {
    if (error) return;
    for (Connection* connection : state_.waiting) connection->cut();
  });
}

/// Most likely there are no free descriptors; one line is logged for the whole time.
void Worker::report_accept_failure(const boost::system::error_code& error) {
  if (accepts_) spdlog::warn("cannot accept connections at present: {}", error.message());
  accepts_ = false;
}

bool Worker::cut_longest_waiting() {
  const auto found = std::ranges::find_if_not(state_.waiting, &Connection::is_cut);
  if (found == state_.waiting.end()) return false;
  (*found)->cut();
  return true;
}

/// Of the network that has most of them, so that one client with many paused responses cannot make
/// others give way.
std::vector<Exchange*> Worker::paused(const Counts& counts) const {
  std::map<std::string_view, std::vector<Exchange*>> by_network;
  const auto add = [&](Exchange& exchange) {
    if (exchange.is_cut() || !exchange.paused_since() || !counts(exchange)) return;
    by_network[exchange.client_network()].push_back(&exchange);
  };
  for (Connection* connection : state_.busy) connection->for_each_exchange(add);
  if (by_network.empty()) return {};
  const auto size = [](const auto& of_network) { return of_network.second.size(); };
  return std::ranges::max_element(by_network, {}, size)->second;
}

void Worker::count_paused() {
  state_.most_paused.store(paused(&Exchange::frees_connection).size(), std::memory_order_relaxed);
  state_.most_paused_in_room.store(paused(&Exchange::holds_memory).size(),
                                   std::memory_order_relaxed);
}

/// Of HTTP/2, a response is cut alone, unless it is about connections.
bool Worker::cut_longest_paused(const Counts& counts, bool with_connection) {
  const auto most = paused(counts);
  if (most.empty()) return false;
  Exchange& longest = **std::ranges::min_element(most, {}, &Exchange::paused_since);
  if (with_connection) {
    longest.cut_connection();
  } else {
    longest.cut();
  }
  count_paused();
  return true;
}

void Worker::begin_relieve_guests(std::string account, std::shared_ptr<std::atomic<bool>> is_done) {
  asio::post(context_, [this, account = std::move(account), is_done = std::move(is_done)] {
    const Counts counts = [&](const Exchange& exchange) {
      return exchange.holds_memory() && exchange.guest_of() == account;
    };
    if (!is_done->load()) is_done->store(cut_longest_paused(counts));
  });
}

bool Worker::cut_longest(Yielding kind) {
  if (kind == Yielding::waiting) return cut_longest_waiting();
  if (kind == Yielding::paused) return cut_longest_paused(&Exchange::frees_connection, true);
  return cut_longest_paused(&Exchange::holds_memory);
}

/// Closes a connection that can give way, here or at another worker, so that a new one can be
/// served.
bool Worker::make_room() {
  if (cut_longest_waiting() || make_room_beside_(*this, Yielding::waiting)) return true;
  count_paused();
  return make_room_beside_(*this, Yielding::paused);
}

std::size_t Worker::count_of(Yielding kind) const {
  switch (kind) {
    case Yielding::waiting:
      return state_.waiting_count.load(std::memory_order_relaxed);
    case Yielding::paused:
      return state_.most_paused.load(std::memory_order_relaxed);
    case Yielding::paused_in_room:
      return state_.most_paused_in_room.load(std::memory_order_relaxed);
  }
  std::unreachable();
}

std::size_t Worker::yielding(Yielding kind) const {
  const std::size_t count = count_of(kind);
  return count - std::min(count, asked_for(kind).load());
}

bool Worker::begin_make_room(Yielding kind) {
  std::atomic<std::size_t>& asked = asked_for(kind);
  std::size_t before = asked.load();
  do {
    if (before >= count_of(kind)) return false;
  } while (!asked.compare_exchange_weak(before, before + 1));
  asio::post(context_, [this, kind, &asked] {
    cut_longest(kind);
    --asked;
  });
  return true;
}

void Worker::change(LiveOptions options) {
  asio::post(context_, [this, options = std::move(options)]() mutable {
    state_.access_log = options.access_log;
    state_.cors = Cors(std::move(options.cors_origins));
    state_.proxies = std::move(options.trusted_proxies);
  });
}

void Worker::take(Socket socket, const TlsSource* tls) {
  if (is_local() && !is_own_peer(socket)) {
    spdlog::warn("a process of another user was refused at {}", state_.options.socket.string());
    return;
  }
  std::optional<std::string> remote = is_local() ? std::string() : peer_address(socket);
  if (!remote) return;
  ConnectionCounter::Guard guard(connection_counter_);
  const std::size_t allowed = state_.options.max_connections;
  const std::size_t count = connection_counter_.count();
  const bool full = count > allowed && !make_room();
  if (full && count > allowed + refusal_limit(allowed)) return;
  group_.spawn(context_.get_executor(),
               serve(std::move(socket), *std::move(remote), tls ? tls->current() : nullptr,
                     std::move(guard), full));
}

Task<void> Worker::serve(Socket socket, std::string remote_address,
                         std::shared_ptr<const TlsContext> tls, ConnectionCounter::Guard guard,
                         bool full) {
  const ConnectionCounter::Guard counted(std::move(guard));
  Connection connection(state_, std::move(socket), std::move(remote_address), std::move(tls));
  arm_ticker();
  try {
    if (full) {
      co_await connection.refuse_as_full();
    } else {
      co_await connection.run();
    }
  } catch (const std::exception& error) {
    if (!connection.is_cut())
      spdlog::error("a connection failed with an exception: {}", error.what());
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
  for (Connection* connection : state_.waiting) connection->expire(now);
  for (Connection* connection : state_.busy) connection->expire(now);
  count_paused();
  if (!state_.waiting.empty() || !state_.busy.empty()) arm_ticker();
}

void Worker::drain() {
  asio::post(context_, [this] {
    state_.draining = true;
    for (Connection* connection : state_.waiting) connection->drain();
    for (Connection* connection : state_.busy) connection->drain();
  });
}

std::future<void> Worker::begin_stop() {
  auto promise = std::make_shared<std::promise<void>>();
  asio::post(context_, [this, promise] {
    state_.stopping = true;
    if (is_local()) {
      accept_rest();
      limit_silence();
    }
    for (Listener& listener : listeners_) listener.acceptor.close();
    for (Connection* connection : state_.waiting) connection->begin_stop();
    for (Connection* connection : state_.busy) connection->begin_stop();
    // After a connection that was accepted just before.
    asio::post(context_, [promise] { promise->set_value(); });
  });
  return promise->get_future();
}

std::future<std::size_t> Worker::cut_all() {
  auto promise = std::make_shared<std::promise<std::size_t>>();
  asio::post(context_, [this, promise] {
    const std::size_t busy = state_.busy.size();
    for (Connection* connection : state_.waiting) connection->cut();
    for (Connection* connection : state_.busy) connection->cut();
    group_.cancel();
    ticker_.cancel();
    silence_.cancel();
    work_.reset();
    promise->set_value(busy);
  });
  return promise->get_future();
}

}  // namespace coffer::http
