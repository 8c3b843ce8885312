#include "http/h2_stream.h"

#include <nghttp2/nghttp2.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <utility>

#include "http/drain.h"
#include "http/response_head.h"

namespace coffer::http {
namespace {

/// The window of a body that is read grows up to this: a little more than that of a socket, which
/// has 6 MiB (tcp(7), tcp_rmem), since frames are read later than the kernel reads packets.
constexpr std::size_t kWidestBytes = 8 * 1024 * 1024;
/// A window is given back when this part of it was used: with less, a client on a long way waits.
constexpr std::size_t kWindowParts = 8;
constexpr std::size_t kLeastGivenBack = 16 * 1024;

TransferLimits limits_of(const ServerOptions& options) {
  return {options.stall_timeout, options.min_rate_bytes, options.min_rate_window};
}

/// Appends `count` bytes of the file. Returns false if they cannot be read.
bool append_file(std::string& out, int descriptor, std::uint64_t offset, std::size_t count) {
  const std::size_t begin = out.size();
  out.resize(begin + count);
  for (std::size_t done = 0; done < count;) {
    const ssize_t got = ::pread(descriptor, out.data() + begin + done, count - done,
                                static_cast<off_t>(offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    done += static_cast<std::size_t>(got);
  }
  return true;
}

}  // namespace

H2Stream::H2Stream(Session& session, std::int32_t id, ThreadState& thread, const Peer& peer)
    : session_(session),
      id_(id),
      thread_(thread),
      head_(thread.options.header_limit_bytes),
      body_(*this),
      meter_(limits_of(thread.options)),
      exchange_(thread, *this, peer.address, peer.has_tls) {}

Task<void> H2Stream::serve(const std::optional<Refusal>& refusal) {
  exchange_.begin();
  Framing framing;
  std::optional<Refusal> refused = refusal ? refusal : head_.refusal();
  if (!refused) {
    head_text_ = head_.take_text(has_request_body_);
    refused = parse_head(head_text_, exchange_.request(), framing);
  }
  if (refused) {
    const Refusal reason = *refused;
    const bool told = co_await exchange_.refuse(reason, path_of_target());
    if (!told) cut();
  } else {
    body_.begin(framing);
    co_await serve_request();
  }
  co_await drain();  // The response and what it held have gone.
}

/// As HTTP/1.1 does it: some clients lose a response when their stream is reset behind it.
Task<void> H2Stream::drain() {
  body_.forgive();
  const ServerOptions& options = thread_.options;
  drain_until_ = std::chrono::steady_clock::now() + options.drain_timeout;
  if (thread_.stopping) hurry();
  const std::uint64_t limit = body_.bytes_arrived() + options.drain_limit_bytes;
  while (!body_.has_ended() && !body_.is_held_back() && body_.bytes_arrived() < limit &&
         std::chrono::steady_clock::now() < *drain_until_) {
    const auto dropped = co_await body_.read();
    if (!dropped) break;
  }
  body_.give_back();
  if (!body_.has_ended()) reset(NGHTTP2_NO_ERROR);
}

void H2Stream::hurry() {
  if (!drain_until_) return;
  drain_until_ = std::min(*drain_until_, std::chrono::steady_clock::now() + kShortDrainTime);
  deadline_ = std::min(deadline_, *drain_until_);
}

Task<void> H2Stream::serve_request() {
  Response response = co_await exchange_.answer(body_);
  const bool sent = co_await exchange_.respond(response);
  exchange_.note_end(response.status, body_.bytes_read());
  if (!sent) reset(NGHTTP2_INTERNAL_ERROR);
}

std::string_view H2Stream::path_of_target() const {
  const std::string_view target = head_.target();
  return target.substr(0, target.find('?'));
}

void H2Stream::expire(Instant now) {
  if (now < deadline_) return;
  deadline_ = Instant::max();
  is_late_ = true;
  wakeup_.wake();
}

/// Whether there is a body is told by the head alone: all of it may have come before the handler
/// begins.
void H2Stream::note_head(bool is_all) {
  has_request_body_ = !is_all;
  if (is_all) body_.end();
}

void H2Stream::note_closed() {
  if (std::exchange(is_closed_, true)) return;
  session_.narrow_window(window_bytes_ - kWindowBytes);
  window_bytes_ = kWindowBytes;
  wakeup_.wake();
  if (const auto left = std::exchange(left_, nullptr)) left();
}

void H2Stream::reset(std::uint32_t error_code) {
  if (is_closed_) return;
  session_.reset(id_, error_code);
  note_closed();
}

void H2Stream::cut() {
  reset(NGHTTP2_CANCEL);
}

void H2Stream::watch_peer(std::function<void()> left) {
  if (is_closed_) return left();
  left_ = std::move(left);
}

void H2Stream::send_continue() {
  if (!is_closed_) session_.submit_continue(id_);
}

void H2Stream::consume(std::size_t bytes) {
  session_.consume(bytes);
  used_bytes_ += bytes;
  if (is_closed_ || used_bytes_ < std::max(window_bytes_ / kWindowParts, kLeastGivenBack)) return;
  session_.give_window(id_, std::exchange(used_bytes_, 0));
}

/// Grows it as TCP does, since the product of a connection's rate and delay is not known. A client
/// that has a large window must have used the one before.
void H2Stream::widen_window(std::uint64_t bytes_read, std::optional<std::uint64_t> length) {
  if (length && *length <= window_bytes_) return;
  if (is_closed_ || bytes_read < widen_at_ || window_bytes_ >= kWidestBytes) return;
  const std::size_t wider = std::min(window_bytes_ * 4, kWidestBytes);
  if (session_.widen_window(id_, window_bytes_, wider)) window_bytes_ = wider;
  widen_at_ = bytes_read + window_bytes_ / 2;
}

Task<bool> H2Stream::wait_received(Instant begun) {
  deadline_ = meter_.deadline(begun);
  if (drain_until_) {
    deadline_ = std::min(*drain_until_, begun + thread_.options.drain_stall_timeout);
  }
  co_await wakeup_.wait();
  deadline_ = Instant::max();
  co_return std::exchange(is_late_, false);
}

void H2Stream::begin_head(std::string& out, const Response& response) {
  status_ = response.status;
  length_ = response.content_length();
  append_header_lines(out, response);
  append_content_length(out, response);
}

void H2Stream::end_head(std::string& out) {
  lines_ = out;
  out.clear();
}

void H2Stream::begin_response(bool has_body) {
  has_begun_ = true;
  has_body_ = has_body;
  bytes_sent_ += lines_.size();
  session_.submit_response(*this, status_, lines_, has_body);
  lines_ = std::string();
}

std::optional<std::size_t> H2Stream::available(std::size_t most) const {
  if (is_closed_ || (source_.length == 0 && !ends_after(0))) return std::nullopt;
  return static_cast<std::size_t>(std::min<std::uint64_t>(source_.length, most));
}

bool H2Stream::ends_after(std::size_t count) const {
  return is_finished_ || (length_ && body_sent_ + count == *length_);
}

/// Something must be sent before the next step.
bool H2Stream::is_pending() const {
  return source_.length > 0 || (is_finished_ && has_body_ && !is_end_taken_);
}

bool H2Stream::take(std::size_t count, std::string& out) {
  if (is_closed_) return false;
  if (source_.descriptor < 0) {
    out.append(source_.bytes, count);
    source_.bytes += count;
  } else if (!append_file(out, source_.descriptor, source_.offset, count)) {
    return false;
  }
  source_.offset += count;
  source_.length -= count;
  body_sent_ += count;
  bytes_sent_ += count;
  is_end_taken_ = ends_after(0) && source_.length == 0;
  if (source_.length == 0) wakeup_.wake();
  return true;
}

Task<Io> H2Stream::send(std::string_view bytes, bool /*more*/) {
  co_return co_await send_from({.bytes = bytes.data(), .length = bytes.size()});
}

Task<Io> H2Stream::send_file(int descriptor, std::uint64_t offset, std::uint64_t length) {
  co_return co_await send_from({nullptr, descriptor, offset, length});
}

Task<Io> H2Stream::send_from(Source source) {
  if (source.length == 0) co_return Io::done;
  if (is_closed_) co_return Io::ended;
  source_ = source;
  if (has_begun_) {
    session_.resume(id_);
  } else {
    begin_response(true);
  }
  co_return co_await wait_taken();
}

/// As Transport::wait_writable: a client whose socket takes bytes all the time is not slow,
/// although a stream may have to wait until much of the socket's buffer is free.
Task<Io> H2Stream::wait_taken() {
  while (is_pending()) {
    const Instant begun = std::chrono::steady_clock::now();
    const std::uint64_t before = bytes_sent_;
    const std::uint64_t delivered = session_.delivered_bytes();
    deadline_ = meter_.deadline(begun);
    while (is_pending() && !is_closed_ && !is_late_) co_await wakeup_.wait();
    deadline_ = Instant::max();
    if (is_pending() && is_closed_) co_return Io::ended;
    std::uint64_t taken = bytes_sent_ - before;
    if (session_.waits_for_socket(id_)) taken += session_.delivered_bytes() - delivered;
    const bool is_late = std::exchange(is_late_, false);
    if (!meter_.counts_taken(begun, is_late, taken)) {
      cut();  // The caller's bytes may go before it tells so.
      co_return Io::timed_out;
    }
  }
  co_return Io::done;
}

Task<Io> H2Stream::finish() {
  if (has_begun_ && ends_after(0)) co_return Io::done;
  if (is_closed_) co_return Io::ended;
  is_finished_ = true;
  if (!has_begun_) {
    begin_response(false);
    co_return Io::done;
  }
  session_.resume(id_);
  co_return co_await wait_taken();
}

}  // namespace coffer::http
