#include "http/h2_connection.h"

#include <algorithm>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <chrono>
#include <utility>

#include "base/log.h"

namespace coffer::http {
namespace {

/// The buffer of a connection that is quiet, and that of one whose client sends much.
constexpr std::size_t kQuietBytes = 2 * 1024;
constexpr std::size_t kInputBytes = 64 * 1024;
/// A client that takes so much at once must not keep the thread from others.
constexpr std::size_t kMuchOutputBytes = 32 * 1024;
/// After this time a client has taken what was sent.
constexpr std::chrono::seconds kTakenIn{2};

}  // namespace

H2Connection::H2Connection(ThreadState& thread, Transport& transport, std::string peer_address,
                           std::function<void(bool)> set_busy)
    : thread_(thread),
      transport_(transport),
      set_busy_(std::move(set_busy)),
      session_(thread, *this, {std::move(peer_address), transport.has_tls()}),
      idle_since_(std::chrono::steady_clock::now()) {}

Task<bool> H2Connection::run(const std::optional<Refusal>& refusal) {
  using namespace asio::experimental::awaitable_operators;
  refusal_ = refusal;
  // The server may have begun to during the handshake.
  if (thread_.stopping) session_.shut_down();
  if (thread_.draining) session_.drain();
  // A stop cuts the connection, which ends all that follows; its handlers are cancelled themselves.
  co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
  try {
    co_await (receive_all() && send_all());
  } catch (const std::exception& error) {
    spdlog::error("a connection of HTTP/2 failed with an exception: {}", error.what());
    is_broken_ = true;
  }
  session_.close_all();
  while (!running_.empty()) co_await one_ended_.wait();
  if (is_broken_ || transport_.is_cut()) co_return false;
  const bool is_by_error = !session_.is_shut_down();
  co_return is_by_error || std::chrono::steady_clock::now() < idle_since_ + kTakenIn;
}

/// Neither direction goes on without the other, however that ends.
class H2Connection::EndsRun {
 public:
  explicit EndsRun(H2Connection& connection) : connection_(connection) {}
  ~EndsRun() { connection_.end_run(); }
  EndsRun(const EndsRun&) = delete;
  EndsRun& operator=(const EndsRun&) = delete;

 private:
  H2Connection& connection_;
};

void H2Connection::end_run() {
  if (std::exchange(is_over_, true)) return;
  output_.wake();
  drained_.wake();
  transport_.stop_waiting();
}

void H2Connection::cut() {
  transport_.cut();
  session_.close_all();
  end_run();
}

Task<void> H2Connection::receive_all() {
  const EndsRun ends_run(*this);
  const auto executor = co_await asio::this_coro::executor;
  bool sends_much = false;
  while (!is_over_) {
    if (session_.is_full()) {
      co_await drained_.wait();
      continue;
    }
    input_.reset(sends_much ? kInputBytes : kQuietBytes);
    const Io received = co_await transport_.receive_beside(input_);
    if (is_over_) break;
    if (received != Io::done) {
      is_broken_ = true;
      break;
    }
    const bool is_understood = session_.receive(input_.data());
    start(executor);
    output_.wake();
    if (!is_understood) {
      session_.close_all();
      break;
    }
    sends_much = input_.data().size() >= kQuietBytes;
    // A client that sends fast must not keep the thread from others.
    if (sends_much) co_await asio::post(executor, asio::use_awaitable);
  }
  if (is_broken_) session_.close_all();
}

void H2Connection::start(const asio::any_io_executor& executor) {
  for (auto& stream : session_.take_started()) {
    if (running_.empty()) {
      set_busy_(true);
      // Each response has limits of its own.
      transport_.let_pause(true);
    }
    running_.push_back(stream.get());
    thread_.tasks.spawn(executor, serve(std::move(stream)));
    if (refusal_ || thread_.stopping || thread_.draining) session_.shut_down();
  }
}

Task<void> H2Connection::serve(std::shared_ptr<H2Stream> stream) {
  struct Ended {
    H2Connection& self;
    H2Stream& stream;
    ~Ended() {
      self.running_.remove(&stream);
      self.idle_since_ = std::chrono::steady_clock::now();
      self.one_ended_.wake();
      if (!self.running_.empty()) return;
      self.transport_.let_pause(false);
      self.set_busy_(false);
    }
  };
  const Ended ended{*this, *stream};
  try {
    co_await stream->serve(refusal_);
    co_return;
  } catch (const std::exception& error) {
    if (!stream->is_cut()) spdlog::error("a stream failed with an exception: {}", error.what());
  }
  stream->cut();
}

Task<void> H2Connection::send_all() {
  const EndsRun ends_run(*this);
  const auto executor = co_await asio::this_coro::executor;
  std::string out;
  while (!transport_.is_cut()) {
    out.clear();
    if (!session_.produce(out)) {
      is_broken_ = true;
      break;
    }
    if (!session_.is_full()) drained_.wake();
    if (out.empty()) {
      if (is_over_ || session_.is_done()) break;
      out = std::string();  // A quiet connection keeps no memory.
      co_await output_.wait();
      continue;
    }
    is_sending_ = true;
    const Io sent = co_await transport_.send(out, false);
    is_sending_ = false;
    if (sent != Io::done) {
      is_broken_ = true;
      break;
    }
    if (out.size() >= kMuchOutputBytes) co_await asio::post(executor, asio::use_awaitable);
  }
  if (is_broken_) session_.close_all();
}

std::size_t H2Connection::running_heads_bytes() const {
  std::size_t bytes = 0;
  for (const H2Stream* stream : running_) bytes += stream->head().bytes();
  return bytes;
}

bool H2Connection::is_all_paused() const {
  return std::ranges::all_of(
      running_, [](const H2Stream* stream) { return stream->stalled_since().has_value(); });
}

void H2Connection::expire(Instant now) {
  for (H2Stream* stream : running_) stream->expire(now);
  const auto head_begun_at = session_.head_begun_at();
  if (head_begun_at && now > *head_begun_at + thread_.options.header_timeout) session_.terminate();
  const ServerOptions& options = thread_.options;
  const auto idle_limit = refusal_ ? options.header_timeout : options.idle_timeout;
  if (running_.empty() && now > idle_since_ + idle_limit) session_.shut_down();
}

void H2Connection::begin_stop() {
  session_.shut_down();
  for (H2Stream* stream : running_) {
    stream->exchange().end_waiting_stream();
    stream->exchange().end_pause();
    stream->hurry();
  }
}

void H2Connection::for_each_exchange(const std::function<void(Exchange&)>& each) {
  for (H2Stream* stream : running_) each(stream->exchange());
}

}  // namespace coffer::http
