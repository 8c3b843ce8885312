#include "http/connection.h"

#include <algorithm>
#include <charconv>
#include <ctime>
#include <utility>

#include "base/client_network.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/random.h"
#include "http/envelope.h"
#include "http/error_page.h"
#include "http/proxy_watch.h"

namespace coffer::http {
namespace {

/// The buffer of an idle connection; most heads fit into it.
constexpr std::size_t kIdleBytes = 2 * 1024;
/// An unread rest of a body up to this size is skipped, so that the connection can be kept.
constexpr std::uint64_t kSkipBytes = 64 * 1024;
/// The limits for draining a connection that is refused as full, or while the server stops.
constexpr std::uint64_t kShortDrainBytes = 256 * 1024;
constexpr std::chrono::milliseconds kShortDrainTime{2'000};
/// The largest buffer that is kept for other answers; one that stalls keeps it.
constexpr std::size_t kScratchBytes = 32 * 1024;

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

/// Leads from the base path to the address with a slash behind it.
Response to_top() {
  Response response;
  response.status = 308;
  response.headers.emplace_back("Location", "/");
  return response;
}

}  // namespace

ThreadState::ThreadState(const ServerOptions& the_options, const Router& the_router)
    : options(the_options),
      router(the_router),
      access_log(the_options.access_log),
      cors(the_options.cors_origins),
      proxies(the_options.trusted_proxies),
      id_prefix_(random_hex(5) + '-') {}

const std::string& ThreadState::common_lines() {
  const std::int64_t second = std::time(nullptr);
  if (second != common_lines_second_) {
    common_lines_second_ = second;
    const Timestamp time{std::chrono::seconds(second)};
    common_lines_ = "Date: " + format_http_date(time) + "\r\nX-Content-Type-Options: nosniff\r\n";
  }
  return common_lines_;
}

std::string ThreadState::next_id() {
  char digits[16];
  const auto end = std::to_chars(digits, digits + sizeof digits, ++id_count_, 16).ptr;
  return std::string(id_prefix_).append(digits, end);
}

Connection::Connection(ThreadState& thread, Socket socket, std::string remote_address)
    : thread_(thread),
      transport_(std::move(socket), limits_of(thread.options)),
      remote_address_(std::move(remote_address)),
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

Task<void> Connection::run() {
  // A command that has connected gets its answer although the server stops.
  between_requests_ = thread_.options.socket.empty();
  for (bool keep = true; keep; between_requests_ = true) {
    const HeadState head = co_await read_head();
    between_requests_ = false;
    if (head == HeadState::gone) co_return;
    id_ = thread_.next_id();
    if (head == HeadState::refused) {
      co_await refuse(refusal_);
      co_return;
    }
    keep = co_await exchange();
  }
}

Task<void> Connection::refuse_as_full() {
  between_requests_ = false;
  refused_as_full_ = true;
  id_ = thread_.next_id();
  const Refusal full{503, "The server has too many connections."};
  co_await refuse(full);
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
  const Instant started = std::chrono::steady_clock::now();
  const std::uint64_t sent_before = transport_.bytes_sent();
  Framing framing;
  const auto head = input_.data().substr(0, scanner_.size());
  if (const auto refusal = parse_head(head, request_, framing)) {
    const Refusal reason = *refusal;
    co_await refuse(reason);
    co_return false;
  }
  input_.consume(scanner_.size());
  BodyReader body(transport_, input_, framing);
  request_.body = &body;
  set_busy(true);
  Response response = co_await answer();
  if (body.has_stalled()) response = refusal(408, "The request's body did not arrive in time.");
  co_await show_to_people(response);
  body.skip_buffered();
  const bool ends_by_closing = framing.http_1_0 && response.is_stream();
  const bool keep = framing.keep_alive && !ends_by_closing && !thread_.stopping &&
                    !body.is_broken() && (body.is_finished() || body.rest_is_small(kSkipBytes));
  const bool sent = co_await respond(response, persistence_of(framing, keep));
  note_end(response.status, started, sent_before, body.bytes_read());
  response = Response();  // What it holds is not to wait for the rest of the request.
  bool goes_on = sent && keep;
  if (goes_on) goes_on = co_await skip_rest(body);
  set_busy(false);
  if (sent && !keep && !(body.is_finished() && input_.empty())) co_await linger();
  co_return goes_on;
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

const std::string& Connection::client_network() {
  if (network_.empty()) network_ = network_of(client_.address);
  return network_;
}

std::string_view Connection::guest_of() const {
  const bool is_caller = !request_.key_id.empty() || !request_.session_id.empty();
  return is_caller || request_.is_local ? std::string_view() : std::string_view(request_.account);
}

/// The path without the base path; as it is if it does not begin with that.
std::string_view Connection::below_base_path(std::string_view path) const {
  const std::string_view base = thread_.options.base_path;
  if (!path.starts_with(base)) return path;
  const std::string_view rest = path.substr(base.size());
  return rest.starts_with('/') ? rest : path;
}

Task<Response> Connection::answer() {
  request_.id = id_;
  request_.base_path = thread_.options.base_path;
  is_base_path_ = !request_.base_path.empty() && request_.path == request_.base_path;
  request_.path = below_base_path(request_.path);
  client_ = thread_.proxies.client_of(remote_address_, request_);
  if (client_.has_ignored_headers && thread_.options.proxy_watch) {
    thread_.options.proxy_watch->note(client_.address);
  }
  network_.clear();
  request_.remote_address = client_.address;
  request_.is_secure = client_.is_secure;
  request_.is_local = !thread_.options.socket.empty();
  request_.captures.clear();
  for (std::string* known : {&request_.account, &request_.key_id, &request_.session_id}) {
    known->clear();
  }
  pattern_ = {};
  if (auto preflight = thread_.cors.preflight(request_)) co_return std::move(*preflight);
  try {
    Response response = co_await call_handler();
    for (auto& [name, value] : response.headers) {
      if (name == "Location" && value.starts_with('/')) value.insert(0, request_.base_path);
    }
    co_return response;
  } catch (const std::exception& error) {
    if (!is_cut()) spdlog::error("request {} failed with an exception: {}", id_, error.what());
  }
  co_return refusal(500, "Something went wrong; in the log it is request " + id_ + ".");
}

/// Who opens an address in a browser sees an error as a page of the interface.
Task<void> Connection::show_to_people(Response& response) {
  const Handler* page = thread_.router.error_page();
  if (!page || !wants_error_page(request_, response)) co_return;
  Response shown = co_await (*page)(request_);
  if (shown.status == 200) show_in_page(std::move(shown), response);
}

Response Connection::refusal(unsigned status, std::string_view message) const {
  return thread_.router.error_format(request_.path)(status, message);
}

Task<Response> Connection::call_handler() {
  if (is_base_path_) co_return to_top();
  auto found = thread_.router.find(request_.method, request_.path);
  if (auto* refused = std::get_if<Response>(&found)) co_return std::move(*refused);
  auto& match = std::get<Router::Match>(found);
  request_.captures = std::move(match.captures);
  pattern_ = match.pattern;
  co_return co_await (*match.handler)(request_);
}

void Connection::put_head(std::string& out, const Response& response, Persistence persistence) {
  out.clear();
  append_response_head(out, response, persistence);
  out += thread_.common_lines();
  thread_.cors.append_headers(out, request_);
  out += "X-Request-Id: ";
  out += id_;
  out += "\r\n\r\n";
}

Task<Sent> Connection::send_body(std::string& out, const Response& response,
                                 Persistence persistence) {
  if (!response.is_stream()) co_return co_await send_response(transport_, out, response);
  const bool old = persistence == Persistence::close_http_1_0;
  const auto framing = old ? StreamFraming::connection : StreamFraming::chunks;
  Stream& stream = *std::get<std::shared_ptr<Stream>>(response.body);
  if (stream.waits_long()) co_return co_await send_waiting(out, stream, framing);
  co_return co_await send_stream(transport_, out, stream, framing);
}

Task<Sent> Connection::send(std::string& out, const Response& response, Persistence persistence) {
  Sent sent = co_await send_body(out, response, persistence);
  if (sent.state == Sent::State::broken && !sent.error.message.empty())
    spdlog::warn("the response to request {} was cut off: {}", id_, sent.error.message);
  co_return sent;
}

/// Sends a stream that waits long, and returns the thread's buffer for other responses before.
Task<Sent> Connection::send_waiting(std::string& out, Stream& stream, StreamFraming framing) {
  std::string head(out);
  if (out.capacity() <= kScratchBytes) thread_.scratch = std::move(out);
  out = std::string();
  if (thread_.stopping) stream.end();
  waiting_stream_ = &stream;
  Sent sent = co_await send_stream(transport_, head, stream, framing);
  waiting_stream_ = nullptr;
  out = std::move(head);
  co_return sent;
}

Task<bool> Connection::respond(Response& response, Persistence persistence) {
  holds_memory_ = response.held != nullptr || response.is_stream();
  transport_.let_pause(response.may_pause && !thread_.stopping);
  const bool done = co_await put(response, persistence);
  transport_.let_pause(false);
  holds_memory_ = false;
  co_return done;
}

/// If the content fails at once, `response` becomes the error that is sent instead.
Task<bool> Connection::put(Response& response, Persistence persistence) {
  std::string out = std::exchange(thread_.scratch, {});
  put_head(out, response, persistence);
  bool done = false;
  if (request_.method == Method::head || response.status == 204 || response.status == 304) {
    const Io io = co_await transport_.send(out, false);
    done = io == Io::done;
  } else {
    const Sent sent = co_await send(out, response, persistence);
    done = sent.state == Sent::State::done;
    if (sent.state == Sent::State::not_begun) {
      response = thread_.router.failure_format(request_.path)(sent.error);
      co_await show_to_people(response);
      put_head(out, response, persistence);
      const Sent told = co_await send(out, response, persistence);
      done = told.state == Sent::State::done;
    }
  }
  if (out.capacity() <= kScratchBytes) thread_.scratch = std::move(out);
  co_return done;
}

Task<void> Connection::refuse(Refusal refusal) {
  const Instant started = std::chrono::steady_clock::now();
  const std::uint64_t sent_before = transport_.bytes_sent();
  // The log shows no part of a refused head.
  request_ = Request();
  pattern_ = {};
  const ErrorFormat format = thread_.router.error_format(below_base_path(path_in(input_.data())));
  Response response = format(refusal.status, refusal.message);
  const bool sent = co_await respond(response, Persistence::close);
  note_end(response.status, started, sent_before, 0);
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
    const bool hurries = refused_as_full_ || thread_.stopping;
    if (hurries && dropped >= kShortDrainBytes) co_return;
    const Instant last = hurries ? short_deadline : deadline;
    received = co_await transport_.drop(dropped, std::min(last, in(options.drain_stall_timeout)));
  }
}

void Connection::note_end(unsigned status, Instant started, std::uint64_t sent_before,
                          std::uint64_t received_bytes) const {
  if (thread_.access_log) log_access(status, started, sent_before);
  if (!thread_.options.observer) return;
  RequestFigures figures;
  figures.method = request_.method == Method::other ? "other" : request_.method_text;
  figures.pattern = pattern_;
  figures.status = status;
  figures.took = std::chrono::steady_clock::now() - started;
  figures.received_bytes = received_bytes;
  figures.sent_bytes = transport_.bytes_sent() - sent_before;
  thread_.options.observer->note(figures);
}

void Connection::log_access(unsigned status, Instant started, std::uint64_t sent_before) const {
  if (!spdlog::should_log(spdlog::level::info)) return;
  const bool known = !request_.method_text.empty();
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - started;
  const std::string_view address = known ? client_.address : remote_address_;
  const std::string_view method = known ? request_.method_text : "-";
  const std::string target =
      known ? thread_.router.loggable(pattern_, request_.path, request_.query) : "-";
  const std::uint64_t sent_bytes = transport_.bytes_sent() - sent_before;
  // A target has only visible ASCII, so it cannot begin a new line.
  if (!logs_json()) {
    spdlog::info("{} {} {} {} {} {:.3f} {}", address, method, target, status, sent_bytes,
                 took.count(), id_);
    return;
  }
  const LogField fields[] = {{"address", address},
                             {"method", method},
                             {"target", std::string_view(target)},
                             {"status", std::uint64_t{status}},
                             {"sentBytes", sent_bytes},
                             {"milliseconds", took.count()},
                             {"request", std::string_view(id_)},
                             {"account", std::string_view(request_.account)},
                             {"key", std::string_view(request_.key_id)},
                             {"session", std::string_view(request_.session_id)}};
  log_fields(fields);
}

}  // namespace coffer::http
