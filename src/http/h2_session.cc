#include "http/h2_session.h"

#include <fmt/format.h>
#include <nghttp2/nghttp2.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <new>

namespace coffer::http {
namespace {

constexpr std::uint32_t kMaxStreams = 100;
/// All windows of a connection's streams together, and what their first ones leave of that.
constexpr std::size_t kWindowsBytes = 32 * 1024 * 1024;
constexpr std::size_t kWideWindowsBytes = kWindowsBytes - kMaxStreams * H2Stream::kWindowBytes;
/// The library gives it back when half of it was used: the other half suffices for all streams.
constexpr std::size_t kConnectionWindowBytes = 2 * kWindowsBytes;
/// The heads of all requests that are answered, and of one that is never too much for them.
constexpr std::size_t kHeadsBytes = 512 * 1024;
constexpr std::size_t kSmallHeadBytes = 2 * 1024;
constexpr std::size_t kOutputBytes = 64 * 1024;
/// A connection may have two of these for each stream, and some more.
constexpr std::size_t kMaxQueuedFrames = 512;
/// Streams that failed or were reset by either side: so many at once, and so many each second.
constexpr double kFailures = 1000;
constexpr double kFailuresPerSecond = 33;

std::span<const std::uint8_t> bytes_of(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

std::string_view text_of(const std::uint8_t* bytes, std::size_t length) {
  return {reinterpret_cast<const char*>(bytes), length};
}

nghttp2_nv field(std::string_view name, std::string_view value) {
  // The library does not change them, and copies them. A cookie must not stay in its table.
  const bool is_secret = name == "set-cookie";
  return {const_cast<std::uint8_t*>(bytes_of(name).data()),
          const_cast<std::uint8_t*>(bytes_of(value).data()), name.size(), value.size(),
          static_cast<std::uint8_t>(is_secret ? NGHTTP2_NV_FLAG_NO_INDEX : NGHTTP2_NV_FLAG_NONE)};
}

bool ends_stream(const nghttp2_frame& frame) {
  return (frame.hd.flags & NGHTTP2_FLAG_END_STREAM) != 0;
}

}  // namespace

void H2Session::Free::operator()(nghttp2_session* session) const {
  nghttp2_session_del(session);
}

struct H2Session::Callbacks {
  static H2Session& self(void* session) { return *static_cast<H2Session*>(session); }

  static int on_begin_headers(nghttp2_session*, const nghttp2_frame* frame, void* user) {
    if (frame->headers.cat == NGHTTP2_HCAT_REQUEST) self(user).begin_stream(frame->hd.stream_id);
    return 0;
  }

  /// Fields of trailers are ignored.
  static int on_header(nghttp2_session*, const nghttp2_frame* frame, const std::uint8_t* name,
                       std::size_t name_bytes, const std::uint8_t* value, std::size_t value_bytes,
                       std::uint8_t, void* user) {
    H2Stream* const stream = self(user).find(frame->hd.stream_id);
    if (stream && frame->headers.cat == NGHTTP2_HCAT_REQUEST) {
      stream->head().add(text_of(name, name_bytes), text_of(value, value_bytes));
    }
    return 0;
  }

  static int on_invalid_header(nghttp2_session*, const nghttp2_frame* frame, const std::uint8_t*,
                               std::size_t, const std::uint8_t*, std::size_t, std::uint8_t,
                               void* user) {
    H2Stream* const stream = self(user).find(frame->hd.stream_id);
    if (stream && frame->headers.cat == NGHTTP2_HCAT_REQUEST) stream->head().add_invalid();
    return 0;
  }

  static int on_frame_recv(nghttp2_session*, const nghttp2_frame* frame, void* user) {
    const bool is_ack = (frame->hd.flags & NGHTTP2_FLAG_ACK) != 0;
    switch (frame->hd.type) {
      case NGHTTP2_HEADERS:
        if (frame->headers.cat == NGHTTP2_HCAT_REQUEST) {
          self(user).start(frame->hd.stream_id, ends_stream(*frame));
        } else if (ends_stream(*frame)) {
          self(user).end_request(frame->hd.stream_id);
        }
        return 0;
      case NGHTTP2_DATA:
        if (ends_stream(*frame)) self(user).end_request(frame->hd.stream_id);
        return 0;
      case NGHTTP2_PING:  // The answer to that of `drain`.
        if (is_ack && self(user).is_draining_) self(user).shut_down();
        return 0;
      default:
        return 0;
    }
  }

  static int on_data(nghttp2_session*, std::uint8_t, std::int32_t id, const std::uint8_t* data,
                     std::size_t length, void* user) {
    H2Stream* const stream = self(user).find(id);
    if (stream && !stream->is_cut()) {
      stream->body().add(text_of(data, length));
      stream->note_received();
    } else {
      self(user).consume(length);
    }
    return 0;
  }

  static int on_frame_sent(nghttp2_session* session, const nghttp2_frame* frame, void* user) {
    const bool may_end = frame->hd.type == NGHTTP2_DATA || frame->hd.type == NGHTTP2_HEADERS;
    if (!may_end || !ends_stream(*frame)) return 0;
    // RFC 9113, section 8.1: the client need not send the request's body.
    H2Stream* const stream = self(user).find(frame->hd.stream_id);
    if (stream && !stream->body().has_ended() && stream->body().is_held_back()) {
      nghttp2_submit_rst_stream(session, NGHTTP2_FLAG_NONE, frame->hd.stream_id, NGHTTP2_NO_ERROR);
    }
    return 0;
  }

  static int on_stream_close(nghttp2_session*, std::int32_t id, std::uint32_t error, void* user) {
    self(user).close_stream(id, error);
    return 0;
  }

  static ssize_t read_data(nghttp2_session*, std::int32_t, std::uint8_t*, std::size_t most,
                           std::uint32_t* flags, nghttp2_data_source* source, void*) {
    const H2Stream& stream = *static_cast<H2Stream*>(source->ptr);
    const auto count = stream.available(most);
    if (!count) return NGHTTP2_ERR_DEFERRED;
    *flags |= NGHTTP2_DATA_FLAG_NO_COPY;
    if (stream.ends_after(*count)) *flags |= NGHTTP2_DATA_FLAG_EOF;
    return static_cast<ssize_t>(*count);
  }

  static int send_data(nghttp2_session*, nghttp2_frame*, const std::uint8_t* header,
                       std::size_t length, nghttp2_data_source* source, void* user) {
    std::string& out = *self(user).out_;
    const std::size_t before = out.size();
    out += text_of(header, 9);
    if (!static_cast<H2Stream*>(source->ptr)->take(length, out)) {
      out.resize(before);
      return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;
    }
    return out.size() >= kOutputBytes ? NGHTTP2_ERR_PAUSE : 0;
  }

  static ssize_t send(nghttp2_session*, const std::uint8_t* data, std::size_t length, int,
                      void* user) {
    std::string& out = *self(user).out_;
    if (out.size() >= kOutputBytes) return NGHTTP2_ERR_WOULDBLOCK;
    out += text_of(data, length);
    return static_cast<ssize_t>(length);
  }

  static nghttp2_session* make(H2Session& self);
};

nghttp2_session* H2Session::Callbacks::make(H2Session& self) {
  nghttp2_session_callbacks* callbacks = nullptr;
  nghttp2_option* option = nullptr;
  nghttp2_session* session = nullptr;
  if (nghttp2_session_callbacks_new(&callbacks) != 0) throw std::bad_alloc();
  const std::unique_ptr<nghttp2_session_callbacks, decltype(&nghttp2_session_callbacks_del)> owned(
      callbacks, &nghttp2_session_callbacks_del);
  nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks, &on_begin_headers);
  nghttp2_session_callbacks_set_on_header_callback(callbacks, &on_header);
  nghttp2_session_callbacks_set_on_invalid_header_callback(callbacks, &on_invalid_header);
  nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, &on_frame_recv);
  nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, &on_data);
  nghttp2_session_callbacks_set_on_frame_send_callback(callbacks, &on_frame_sent);
  nghttp2_session_callbacks_set_on_stream_close_callback(callbacks, &on_stream_close);
  nghttp2_session_callbacks_set_send_callback(callbacks, &send);
  nghttp2_session_callbacks_set_send_data_callback(callbacks, &send_data);
  if (nghttp2_option_new(&option) != 0) throw std::bad_alloc();
  const std::unique_ptr<nghttp2_option, decltype(&nghttp2_option_del)> kept(option,
                                                                            &nghttp2_option_del);
  nghttp2_option_set_no_auto_window_update(option, 1);
  if (nghttp2_session_server_new2(&session, callbacks, &self, option) != 0) throw std::bad_alloc();
  return session;
}

H2Session::H2Session(ThreadState& thread, Owner& owner, H2Stream::Peer peer)
    : thread_(thread),
      owner_(owner),
      peer_(std::move(peer)),
      session_(Callbacks::make(*this)),
      failures_at_(std::chrono::steady_clock::now()) {
  const std::array<nghttp2_settings_entry, 3> settings{
      {{NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, kMaxStreams},
       {NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, H2Stream::kWindowBytes},
       {NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE,
        static_cast<std::uint32_t>(thread.options.header_limit_bytes)}}};
  nghttp2_submit_settings(session_.get(), NGHTTP2_FLAG_NONE, settings.data(), settings.size());
  nghttp2_session_set_local_window_size(session_.get(), NGHTTP2_FLAG_NONE, 0,
                                        kConnectionWindowBytes);
}

H2Session::~H2Session() {
  close_all();
}

bool H2Session::receive(std::string_view bytes) {
  const std::uint64_t ended_before = scanner_.heads_ended();
  scanner_.scan(bytes);
  if (!scanner_.is_in_head()) {
    head_begun_at_.reset();
  } else if (!head_begun_at_ || scanner_.heads_ended() != ended_before) {
    head_begun_at_ = std::chrono::steady_clock::now();
  }
  const auto input = bytes_of(bytes);
  return nghttp2_session_mem_recv(session_.get(), input.data(), input.size()) >= 0;
}

bool H2Session::produce(std::string& out) {
  out_ = &out;
  const int result = nghttp2_session_send(session_.get());
  out_ = nullptr;
  return result == 0;
}

bool H2Session::is_full() const {
  return nghttp2_session_get_outbound_queue_size(session_.get()) >= kMaxQueuedFrames;
}

bool H2Session::is_done() const {
  return nghttp2_session_want_read(session_.get()) == 0 &&
         nghttp2_session_want_write(session_.get()) == 0;
}

H2Stream* H2Session::find(std::int32_t id) {
  const auto found = streams_.find(id);
  return found == streams_.end() ? nullptr : found->second.get();
}

void H2Session::begin_stream(std::int32_t id) {
  streams_.insert_or_assign(
      id, std::make_shared<H2Stream>(static_cast<H2Stream::Session&>(*this), id, thread_, peer_));
}

bool H2Session::has_room_for(const H2Head& head) const {
  if (head.bytes() <= kSmallHeadBytes) return true;
  std::size_t bytes = head.bytes() + owner_.running_heads_bytes();
  for (const auto& stream : started_) bytes += stream->head().bytes();
  return bytes <= kHeadsBytes;
}

/// Handlers run on when their clients reset the streams, so it is not enough to count streams.
void H2Session::start(std::int32_t id, bool has_ended) {
  const auto found = streams_.find(id);
  if (found == streams_.end()) return;
  const bool are_many = owner_.running() + started_.size() >= kMaxStreams;
  if (is_shut_down_ || are_many || !has_room_for(found->second->head())) {
    reset(id, NGHTTP2_REFUSED_STREAM);
    return;
  }
  last_id_ = id;
  found->second->note_head(has_ended);
  started_.push_back(found->second);
}

void H2Session::end_request(std::int32_t id) {
  H2Stream* const stream = find(id);
  if (!stream) return;
  stream->body().end();
  stream->note_received();
}

/// Returns false if too many have failed of late: resets cost the client less than they cost here.
bool H2Session::counts_failure() {
  const Instant now = std::chrono::steady_clock::now();
  const std::chrono::duration<double> passed = now - std::exchange(failures_at_, now);
  failures_ = std::max(0.0, failures_ - passed.count() * kFailuresPerSecond) + 1;
  return failures_ <= kFailures;
}

void H2Session::close_stream(std::int32_t id, std::uint32_t error_code) {
  const auto found = streams_.find(id);
  if (found == streams_.end()) return;
  const auto stream = std::move(found->second);
  streams_.erase(found);
  stream->note_closed();
  consume(stream->body().drop());
  if (error_code != NGHTTP2_NO_ERROR && !counts_failure()) terminate();
}

void H2Session::drain() {
  if (is_shut_down_ || std::exchange(is_draining_, true)) return;
  nghttp2_submit_shutdown_notice(session_.get());
  nghttp2_submit_ping(session_.get(), NGHTTP2_FLAG_NONE, nullptr);
  owner_.has_output();
}

void H2Session::shut_down() {
  if (std::exchange(is_shut_down_, true)) return;
  nghttp2_submit_goaway(session_.get(), NGHTTP2_FLAG_NONE, last_id_, NGHTTP2_NO_ERROR, nullptr, 0);
  owner_.has_output();
}

void H2Session::terminate() {
  nghttp2_session_terminate_session(session_.get(), NGHTTP2_ENHANCE_YOUR_CALM);
  owner_.has_output();
}

void H2Session::close_all() {
  // The library still knows them: they must exist as long as it may ask for their bytes.
  for (const auto& [id, stream] : streams_) stream->note_closed();
}

void H2Session::submit_continue(std::int32_t id) {
  const nghttp2_nv status = field(":status", "100");
  nghttp2_submit_headers(session_.get(), NGHTTP2_FLAG_NONE, id, nullptr, &status, 1, nullptr);
  owner_.has_output();
}

void H2Session::submit_response(H2Stream& stream, unsigned status, std::string& lines,
                                bool has_body) {
  const std::string status_text = fmt::format("{}", status);
  std::vector<nghttp2_nv> fields{field(":status", status_text)};
  for (const auto& [name, value] : fields_of(lines)) fields.push_back(field(name, value));
  nghttp2_data_provider provider{};
  provider.source.ptr = &stream;
  provider.read_callback = &Callbacks::read_data;
  nghttp2_submit_response(session_.get(), stream.id(), fields.data(), fields.size(),
                          has_body ? &provider : nullptr);
  owner_.has_output();
}

void H2Session::resume(std::int32_t id) {
  nghttp2_session_resume_data(session_.get(), id);
  owner_.has_output();
}

void H2Session::reset(std::int32_t id, std::uint32_t error_code) {
  nghttp2_submit_rst_stream(session_.get(), NGHTTP2_FLAG_NONE, id, error_code);
  owner_.has_output();
}

void H2Session::consume(std::size_t bytes) {
  nghttp2_session_consume_connection(session_.get(), bytes);
  owner_.has_output();
}

void H2Session::give_window(std::int32_t id, std::size_t bytes) {
  nghttp2_submit_window_update(session_.get(), NGHTTP2_FLAG_NONE, id,
                               static_cast<std::int32_t>(bytes));
  owner_.has_output();
}

bool H2Session::widen_window(std::int32_t id, std::size_t from_bytes, std::size_t to_bytes) {
  const std::size_t more = to_bytes - from_bytes;
  if (windows_bytes_ + more > kWideWindowsBytes || thread_.spare_window_bytes < more) return false;
  windows_bytes_ += more;
  thread_.spare_window_bytes -= more;
  nghttp2_session_set_local_window_size(session_.get(), NGHTTP2_FLAG_NONE, id,
                                        static_cast<std::int32_t>(to_bytes));
  owner_.has_output();
  return true;
}

void H2Session::narrow_window(std::size_t bytes) {
  windows_bytes_ -= bytes;
  thread_.spare_window_bytes += bytes;
}

bool H2Session::waits_for_socket(std::int32_t id) const {
  return owner_.waits_for_socket() && nghttp2_session_get_remote_window_size(session_.get()) > 0 &&
         nghttp2_session_get_stream_remote_window_size(session_.get(), id) > 0;
}

}  // namespace coffer::http
