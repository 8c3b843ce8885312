#include "http/exchange.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/client_network.h"
#include "base/log.h"
#include "http/envelope.h"
#include "http/error_page.h"
#include "http/proxy_watch.h"

namespace coffer::http {
namespace {

/// The largest buffer that is kept for other answers; one that stalls keeps it.
constexpr std::size_t kScratchBytes = 32 * 1024;

/// Leads from the base path to the address with a slash behind it.
Response to_top() {
  Response response;
  response.status = 308;
  response.headers.emplace_back("Location", "/");
  return response;
}

}  // namespace

Exchange::Exchange(ThreadState& thread, ResponseWriter& writer, std::string peer_address,
                   bool has_tls)
    : thread_(thread), writer_(writer), peer_address_(std::move(peer_address)), has_tls_(has_tls) {}

void Exchange::begin() {
  id_ = thread_.next_id();
  started_ = std::chrono::steady_clock::now();
  sent_before_ = writer_.bytes_sent();
}

const std::string& Exchange::client_network() {
  if (network_.empty()) network_ = network_of(client_.address);
  return network_;
}

std::string_view Exchange::guest_of() const {
  const bool is_caller = !request_.key_id.empty() || !request_.session_id.empty();
  return is_caller || request_.is_local ? std::string_view() : std::string_view(request_.account);
}

/// The path without the base path; as it is if it does not begin with that.
std::string_view Exchange::below_base_path(std::string_view path) const {
  const std::string_view base = thread_.options.base_path;
  if (!path.starts_with(base)) return path;
  const std::string_view rest = path.substr(base.size());
  return rest.starts_with('/') ? rest : path;
}

void Exchange::prepare(ReceivedBody& body) {
  request_.body = &body;
  request_.id = id_;
  request_.base_path = thread_.options.base_path;
  is_base_path_ = !request_.base_path.empty() && request_.path == request_.base_path;
  request_.path = below_base_path(request_.path);
  client_ = thread_.proxies.client_of(peer_address_, request_);
  if (client_.has_ignored_headers && thread_.options.proxy_watch) {
    thread_.options.proxy_watch->note(client_.address);
  }
  network_.clear();
  request_.remote_address = client_.address;
  request_.is_secure = client_.is_secure || has_tls_;
  request_.is_by_proxy = client_.is_by_proxy;
  request_.is_local = !thread_.options.socket.empty();
  request_.captures.clear();
  for (std::string* known : {&request_.account, &request_.key_id, &request_.session_id}) {
    known->clear();
  }
  pattern_ = {};
}

Task<Response> Exchange::answer(ReceivedBody& body) {
  prepare(body);
  Response response = co_await call_handler();
  if (body.has_stalled()) response = refusal(408, "The request's body did not arrive in time.");
  co_await show_to_people(response);
  co_return response;
}

/// True if the request has a header that only a trusted proxy may send, and does not come from one.
bool Exchange::claims_to_be_proxy() const {
  if (client_.is_by_proxy) return false;
  return std::ranges::any_of(thread_.options.proxy_headers,
                             [this](const std::string& name) { return request_.has(name); });
}

Task<Response> Exchange::call_handler() {
  if (claims_to_be_proxy()) {
    co_return refusal(400,
                      "The request has a header that only a proxy of the server may send. If a "
                      "proxy sent it, trusted_proxies must name the proxy.");
  }
  if (auto preflight = thread_.cors.preflight(request_)) co_return std::move(*preflight);
  try {
    Response response = co_await find_and_call();
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
Task<void> Exchange::show_to_people(Response& response) {
  const Handler* page = thread_.router.error_page();
  if (!page || !wants_error_page(request_, response)) co_return;
  Response shown = co_await (*page)(request_);
  if (shown.status == 200) show_in_page(std::move(shown), response);
}

Response Exchange::refusal(unsigned status, std::string_view message) const {
  return thread_.router.error_format(request_.path)(status, message);
}

Task<Response> Exchange::find_and_call() {
  if (is_base_path_) co_return to_top();
  auto found = thread_.router.find(request_.method, request_.path);
  if (auto* refused = std::get_if<Response>(&found)) co_return std::move(*refused);
  auto& match = std::get<Router::Match>(found);
  request_.captures = std::move(match.captures);
  pattern_ = match.pattern;
  co_return co_await (*match.handler)(request_);
}

void Exchange::put_head(std::string& out, const Response& response) {
  out.clear();
  writer_.begin_head(out, response);
  out += thread_.common_lines();
  const auto hsts = thread_.options.hsts;
  if (hsts.count() > 0 && request_.is_secure) {
    out += fmt::format("Strict-Transport-Security: max-age={}\r\n",
                       std::chrono::seconds(hsts).count());
  }
  thread_.cors.append_headers(out, request_);
  out += "X-Request-Id: ";
  out += id_;
  out += "\r\n";
  writer_.end_head(out);
}

Task<Sent> Exchange::send_body(std::string& out, const Response& response) {
  if (!response.is_stream()) co_return co_await send_response(writer_, out, response);
  Stream& stream = *std::get<std::shared_ptr<Stream>>(response.body);
  if (stream.waits_long()) co_return co_await send_waiting(out, stream);
  co_return co_await send_stream(writer_, out, stream);
}

Task<Sent> Exchange::send(std::string& out, const Response& response) {
  Sent sent = co_await send_body(out, response);
  if (sent.state == Sent::State::broken && !sent.error.message.empty())
    spdlog::warn("the response to request {} was cut off: {}", id_, sent.error.message);
  co_return sent;
}

/// Sends a stream that waits long, and returns the thread's buffer for other responses before.
Task<Sent> Exchange::send_waiting(std::string& out, Stream& stream) {
  std::string head(out);
  if (out.capacity() <= kScratchBytes) thread_.scratch = std::move(out);
  out = std::string();
  if (thread_.stopping) stream.end();
  waiting_stream_ = &stream;
  Sent sent = co_await send_stream(writer_, head, stream);
  waiting_stream_ = nullptr;
  out = std::move(head);
  co_return sent;
}

Task<bool> Exchange::respond(Response& response) {
  holds_memory_ = response.held != nullptr || response.is_stream();
  writer_.let_pause(response.may_pause && !thread_.stopping);
  bool done = co_await put(response);
  if (done) {
    const Io finished = co_await writer_.finish();
    done = finished == Io::done;
  }
  writer_.let_pause(false);
  holds_memory_ = false;
  co_return done;
}

/// If the content fails at once, `response` becomes the error that is sent instead.
Task<bool> Exchange::put(Response& response) {
  std::string out = std::exchange(thread_.scratch, {});
  put_head(out, response);
  bool done = false;
  if (request_.method == Method::head || response.status == 204 || response.status == 304) {
    const Io io = co_await writer_.send(out, false);
    done = io == Io::done;
  } else {
    const Sent sent = co_await send(out, response);
    done = sent.state == Sent::State::done;
    if (sent.state == Sent::State::not_begun) {
      response = thread_.router.failure_format(request_.path)(sent.error);
      co_await show_to_people(response);
      put_head(out, response);
      const Sent told = co_await send(out, response);
      done = told.state == Sent::State::done;
    }
  }
  if (out.capacity() <= kScratchBytes) thread_.scratch = std::move(out);
  co_return done;
}

Task<bool> Exchange::refuse(Refusal refusal, std::string_view path) {
  // The log shows no part of a refused head.
  request_ = Request();
  pattern_ = {};
  const ErrorFormat format = thread_.router.error_format(below_base_path(path));
  Response response = format(refusal.status, refusal.message);
  const bool sent = co_await respond(response);
  note_end(response.status, 0);
  co_return sent;
}

void Exchange::note_end(unsigned status, std::uint64_t received_bytes) const {
  if (thread_.access_log) log_access(status);
  if (!thread_.options.observer) return;
  RequestFigures figures;
  figures.method = request_.method == Method::other ? "other" : request_.method_text;
  figures.pattern = pattern_;
  figures.status = status;
  figures.took = std::chrono::steady_clock::now() - started_;
  figures.received_bytes = received_bytes;
  figures.sent_bytes = writer_.bytes_sent() - sent_before_;
  thread_.options.observer->note(figures);
}

void Exchange::log_access(unsigned status) const {
  if (!spdlog::should_log(spdlog::level::info)) return;
  const bool known = !request_.method_text.empty();
  const std::chrono::duration<double, std::milli> took =
      std::chrono::steady_clock::now() - started_;
  const std::string_view address = known ? client_.address : peer_address_;
  const std::string_view method = known ? request_.method_text : "-";
  const std::string target =
      known ? thread_.router.loggable(pattern_, request_.path, request_.query) : "-";
  const std::uint64_t sent_bytes = writer_.bytes_sent() - sent_before_;
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
