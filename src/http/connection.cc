#include "http/connection.h"

#include <algorithm>
#include <utility>

#include "http/drain.h"

namespace coffer::http {
namespace {

/// The buffer of an idle connection; most heads fit into it.
constexpr std::size_t kIdleBytes = 2 * 1024;
/// An unread rest of a body up to this size is skipped, so that the connection can be kept.
constexpr std::uint64_t kSkipBytes = 64 * 1024;
Instant in(std::chrono::milliseconds time) {
  return std::chrono::steady_clock::now() + time;
}

TransferLimits limits_of(const ServerOptions& options) {
  return {options.stall_timeout, options.min_rate_bytes, options.min_rate_window};
}

Persistence persistence_of(const Framing& framing, bool keep) {
  if (!keep) return framing.http_1_0 ? Persistence::close_http_1_0 : Persistence::close;
  return framing.http_1_0 ? Persistence::keep_http_1_0 : Persistence::keep;
}

/// The path in a head that is refused or not complete, as far as it is there.
std::string_view path_in(std::string_view head) {
  const std::size_t begin = head.find(' ');
  if (begin == head.npos) return {};
  head.remove_prefix(begin + 1);
  return head.substr(0, head.find_first_of(" ?\r\n"));
}

}  // namespace

Connection::Connection(ThreadState& thread, Socket socket, std::string remote_address,
                       std::shared_ptr<const TlsContext> tls)
    : thread_(thread),
      transport_(std::move(socket), limits_of(thread.options), std::move(tls)),
      peer_address_(std::move(remote_address)),
      writer_(transport_),
      exchange_(thread, writer_, peer_address_, transport_.has_tls()),
      place_(thread.waiting.insert(thread.waiting.end(), this)) {
  thread_.count_waiting();
}

Connection::~Connection() {
  (busy_ ? thread_.busy : thread_.waiting).erase(place_);
  thread_.count_waiting();
}

void Connection::set_busy(bool busy) {
  auto& from = busy_ ? thread_.busy : thread_.waiting;
  auto& to = busy ? thread_.busy : thread_.waiting;
  to.splice(to.end(), from, place_);
  busy_ = busy;
  thread_.count_waiting();
}

void Connection::expire(Instant now) {
  transport_.expire(now);
  if (http2_) http2_->expire(now);
}

void Connection::cut() {
  transport_.cut();
  if (http2_) http2_->cut();
}

void Connection::begin_stop() {
  if (http2_) return http2_->begin_stop();
  if (!busy_ && between_requests_) return cut();
  exchange_.end_waiting_stream();
  exchange_.end_pause();
}

void Connection::for_each_exchange(const std::function<void(Exchange&)>& each) {
  if (http2_) return http2_->for_each_exchange(each);
  each(exchange_);
}

Task<void> Connection::run() {
  // A command that has connected gets its answer although the server stops.
  between_requests_ = thread_.options.socket.empty();
  if (transport_.has_tls()) {
    const Io begun = co_await begin_tls();
    if (begun != Io::done) co_return;
  }
  const std::optional<Refusal> none;
  if (transport_.speaks_http2()) {
    co_await run_http2(none);
    co_return;
  }
  co_await run_http1();
}

Task<void> Connection::run_http2(const std::optional<Refusal>& refusal) {
  http2_ = std::make_unique<H2Connection>(thread_, transport_, peer_address_,
                                          [this](bool busy) { set_busy(busy); });
  const bool must_arrive = co_await http2_->run(refusal);
  http2_.reset();
  between_requests_ = false;
  hurries_ = true;
  if (must_arrive) co_await linger();
}

Task<void> Connection::run_http1() {
  for (bool keep = true; keep; between_requests_ = true) {
    const HeadState head = co_await read_head();
    between_requests_ = false;
    if (head == HeadState::gone) {
      transport_.end_tls();
      co_return;
    }
    exchange_.begin();
    if (head == HeadState::refused) {
      co_await refuse(refusal_);
      co_return;
    }
    keep = co_await exchange();
  }
}

Task<Io> Connection::begin_tls() {
  return transport_.begin_tls(in(thread_.options.header_timeout));
}

Task<void> Connection::refuse_as_full() {
  if (transport_.has_tls()) {
    const Io begun = co_await begin_tls();
    if (begun != Io::done) co_return;
  }
  const std::optional<Refusal> full(Refusal{503, "The server has too many connections."});
  if (transport_.speaks_http2()) {
    co_await run_http2(full);
    co_return;
  }
  between_requests_ = false;
  hurries_ = true;
  exchange_.begin();
  const Refusal reason = *full;
  co_await refuse(reason);
}

Connection::HeadState Connection::scan_head(bool& blank_line_seen) {
  auto state = scanner_.scan(input_.data());
  // RFC 9112, section 2.2: one empty line before a request is ignored.
  if (state == HeadScanner::State::complete && scanner_.size() == 2 && !blank_line_seen) {
    blank_line_seen = true;
    input_.consume(2);
    scanner_.restart();
    state = scanner_.scan(input_.data());
  }
  const std::size_t limit = thread_.options.header_limit_bytes;
  const bool complete = state == HeadScanner::State::complete;
  if (state == HeadScanner::State::bare_line_feed) {
    refusal_ = {400, "A line of the request's head does not end in CR LF."};
  } else if ((complete ? scanner_.size() : input_.data().size()) > limit) {
    refusal_ = {431, "The request's head is too large."};
  } else {
    return complete ? HeadState::complete : HeadState::gone;
  }
  return HeadState::refused;
}

Task<Connection::HeadState> Connection::read_first_bytes() {
  input_.reset(kIdleBytes);
  const Io received = co_await transport_.receive(input_, in(thread_.options.idle_timeout), false);
  co_return received == Io::done ? HeadState::complete : HeadState::gone;
}

Task<Connection::HeadState> Connection::read_head() {
  if (thread_.stopping && between_requests_) co_return HeadState::gone;
  if (input_.empty()) {
    const HeadState first = co_await read_first_bytes();
    if (first == HeadState::gone) co_return first;
  }
  scanner_.restart();
  bool blank_line_seen = false;
  const Instant deadline = in(thread_.options.header_timeout);
  for (;;) {
    const HeadState state = scan_head(blank_line_seen);
    if (state != HeadState::gone) co_return state;
    if (input_.space().empty()) input_.make_room(input_.capacity());
    if (input_.space().empty()) input_.make_room(input_.capacity() * 2);
    const Io received = co_await transport_.receive(input_, deadline, false);
    if (received == Io::ended) co_return HeadState::gone;
    if (received == Io::timed_out) {
      refusal_ = {408, "The request's head did not arrive in time."};
      co_return HeadState::refused;
    }
  }
}

Task<bool> Connection::exchange() {
  Framing framing;
  const auto head = input_.data().substr(0, scanner_.size());
  if (const auto refusal = parse_head(head, exchange_.request(), framing)) {
    const Refusal reason = *refusal;
    co_await refuse(reason);
    co_return false;
  }
  input_.consume(scanner_.size());
  BodyReader body(transport_, input_, framing);
  set_busy(true);
  Response response = co_await exchange_.answer(body);
  body.skip_buffered();
  const bool ends_by_closing = framing.http_1_0 && response.is_stream();
  const bool ends_soon = thread_.stopping || thread_.draining;
  const bool keep = framing.keep_alive && !ends_by_closing && !ends_soon && !body.is_broken() &&
                    (body.is_finished() || body.rest_is_small(kSkipBytes));
  writer_.set_persistence(persistence_of(framing, keep));
  const bool sent = co_await exchange_.respond(response);
  exchange_.note_end(response.status, body.bytes_read());
  response = Response();  // What it holds is not to wait for the rest of the request.
  bool goes_on = sent && keep;
  if (goes_on) goes_on = co_await skip_rest(body);
  set_busy(false);
  if (sent && !keep) co_await end(body.is_finished() && input_.empty());
  co_return goes_on;
}

Task<void> Connection::end(bool is_all_read) {
  if (!is_all_read) co_return co_await linger();
  transport_.end_tls();
}

/// Reads to the end of the request's body. False if that fails.
Task<bool> Connection::skip_rest(BodyReader& body) {
  while (!body.is_finished()) {
    const auto skipped = co_await body.read();
    if (!skipped) co_return false;
  }
  body.return_rest();
  co_return true;
}

Task<void> Connection::refuse(Refusal refusal) {
  writer_.set_persistence(Persistence::close);
  const std::string_view path = path_in(input_.data());
  const bool sent = co_await exchange_.refuse(refusal, path);
  if (sent) co_await linger();
}

/// Ends the sending side first and goes on reading for a while: closing with unread input makes the
/// kernel reset the connection, and the client may lose the answer (RFC 9112, section 9.6).
Task<void> Connection::linger() {
  transport_.finish_sending();
  const ServerOptions& options = thread_.options;
  const Instant deadline = in(options.drain_timeout);
  const Instant short_deadline = in(kShortDrainTime);
  std::uint64_t dropped = 0;
  Io received = Io::done;
  while (received == Io::done && dropped < options.drain_limit_bytes) {
    const bool hurries = hurries_ || thread_.stopping;
    if (hurries && dropped >= kShortDrainBytes) co_return;
    const Instant last = hurries ? short_deadline : deadline;
    received = co_await transport_.drop(dropped, std::min(last, in(options.drain_stall_timeout)));
  }
}

}  // namespace coffer::http
