#include "http/testing/http2_translator.h"

#include <fmt/format.h>
#include <nghttp2/nghttp2.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <utility>
#include <vector>

#include "http/syntax.h"

namespace coffer::http {
namespace {

nghttp2_nv field(const std::string& name, const std::string& value) {
  const auto bytes = [](const std::string& text) {
    return reinterpret_cast<std::uint8_t*>(const_cast<char*>(text.data()));
  };
  return {bytes(name), bytes(value), name.size(), value.size(), NGHTTP2_NV_FLAG_NONE};
}

std::string small_letters(std::string_view text) {
  std::string small(text);
  for (char& c : small) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
  return small;
}

}  // namespace

void Http2Translator::Free::operator()(nghttp2_session* session) const {
  nghttp2_session_del(session);
}

struct Http2Translator::Callbacks {
  static Stream& stream(void* user, std::int32_t id) {
    return static_cast<Http2Translator*>(user)->streams_[id];
  }

  static ssize_t read(nghttp2_session*, std::int32_t, std::uint8_t* out, std::size_t most,
                      std::uint32_t* flags, nghttp2_data_source* source, void*) {
    Stream& stream = *static_cast<Stream*>(source->ptr);
    if (stream.body.empty() && !stream.has_whole_body) return NGHTTP2_ERR_DEFERRED;
    const std::size_t count = std::min(most, stream.body.size());
    std::memcpy(out, stream.body.data(), count);
    stream.body.erase(0, count);
    if (stream.body.empty() && stream.has_whole_body) *flags |= NGHTTP2_DATA_FLAG_EOF;
    return static_cast<ssize_t>(count);
  }

  static int on_header(nghttp2_session*, const nghttp2_frame* frame, const std::uint8_t* name_bytes,
                       std::size_t name_size, const std::uint8_t* value_bytes,
                       std::size_t value_size, std::uint8_t, void* user) {
    Stream& of = stream(user, frame->hd.stream_id);
    const std::string name(reinterpret_cast<const char*>(name_bytes), name_size);
    const std::string value(reinterpret_cast<const char*>(value_bytes), value_size);
    if (name == ":status") {
      of.status = value;
      of.response += fmt::format("HTTP/1.1 {} \r\n", value);
    } else {
      of.has_length |= name == "content-length";
      of.response += fmt::format("{}: {}\r\n", name, value);
    }
    return 0;
  }

  static int on_frame(nghttp2_session*, const nghttp2_frame* frame, void* user) {
    if (frame->hd.type != NGHTTP2_HEADERS && frame->hd.type != NGHTTP2_DATA) return 0;
    static_cast<Http2Translator*>(user)->begin_body(
        stream(user, frame->hd.stream_id), (frame->hd.flags & NGHTTP2_FLAG_END_STREAM) != 0);
    return 0;
  }

  static int on_data(nghttp2_session*, std::uint8_t, std::int32_t id, const std::uint8_t* data,
                     std::size_t size, void* user) {
    Stream& of = stream(user, id);
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    if (of.is_chunked) {
      of.response += fmt::format("{:x}\r\n", size);
    }
    of.response += bytes;
    if (of.is_chunked) of.response += "\r\n";
    return 0;
  }

  static int on_close(nghttp2_session*, std::int32_t id, std::uint32_t, void* user) {
    stream(user, id).is_closed = true;
    return 0;
  }
};

Http2Translator::Http2Translator() {
  nghttp2_session_callbacks* callbacks = nullptr;
  nghttp2_session* session = nullptr;
  nghttp2_session_callbacks_new(&callbacks);
  nghttp2_session_callbacks_set_on_header_callback(callbacks, &Callbacks::on_header);
  nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, &Callbacks::on_frame);
  nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, &Callbacks::on_data);
  nghttp2_session_callbacks_set_on_stream_close_callback(callbacks, &Callbacks::on_close);
  nghttp2_session_client_new(&session, callbacks, this);
  nghttp2_session_callbacks_del(callbacks);
  session_.reset(session);
  nghttp2_submit_settings(session, NGHTTP2_FLAG_NONE, nullptr, 0);
}

/// Called for the head, and for each frame of the body.
void Http2Translator::begin_body(Stream& stream, bool ends) {
  if (!stream.status.empty()) {
    const bool is_interim = std::exchange(stream.status, {}).starts_with('1');
    stream.is_chunked = !is_interim && !stream.has_length && !ends;
    if (stream.is_chunked) stream.response += "Transfer-Encoding: chunked\r\n";
    stream.response += "\r\n";
  }
  if (!ends) return;
  if (stream.is_chunked) stream.response += "0\r\n\r\n";
  stream.is_whole = true;
}

bool Http2Translator::take_head() {
  if (text_.starts_with("\r\n")) text_.erase(0, 2);
  const std::size_t end = text_.find("\r\n\r\n");
  if (end == std::string::npos) return false;
  const std::string head = text_.substr(0, end + 2);
  text_.erase(0, end + 4);
  std::string_view rest = head;
  std::string_view line = cut_front(rest, '\r');
  std::vector<std::pair<std::string, std::string>> fields{{":scheme", "https"}};
  fields.emplace_back(":method", cut_front(line, ' '));
  fields.emplace_back(":path", cut_front(line, ' '));
  body_left_ = 0;
  body_is_chunked_ = false;
  while (rest.size() > 1) {
    std::string_view value = cut_front(rest, '\r').substr(1);
    const std::string name = small_letters(cut_front(value, ':'));
    value = trim(value);
    if (name == "transfer-encoding") body_is_chunked_ = true;
    if (name == "content-length") body_left_ = *parse_decimal(value);
    const bool is_left_out = name == "transfer-encoding" || name == "connection";
    if (!is_left_out) fields.emplace_back(name == "host" ? ":authority" : name, value);
  }
  std::ranges::stable_partition(fields, [](const auto& each) { return each.first[0] == ':'; });
  std::vector<nghttp2_nv> list;
  for (const auto& [name, value] : fields) list.push_back(field(name, value));
  const bool has_body = body_is_chunked_ || body_left_ > 0;
  current_id_ += current_id_ == 0 ? 1 : 2;
  current_ = &streams_[current_id_];
  current_->has_whole_body = !has_body;
  nghttp2_data_provider provider{};
  provider.source.ptr = current_;
  provider.read_callback = &Callbacks::read;
  const auto id = nghttp2_submit_request(session_.get(), nullptr, list.data(), list.size(),
                                         has_body ? &provider : nullptr, nullptr);
  if (id != current_id_) throw std::logic_error("streams are not numbered as expected");
  if (!has_body) current_ = nullptr;
  return true;
}

bool Http2Translator::take_body() {
  std::size_t size = std::min(body_left_, text_.size());
  std::size_t begin = 0;
  if (body_is_chunked_) {
    const std::size_t line = text_.find("\r\n");
    if (line == std::string::npos) return false;
    begin = line + 2;
    size = std::stoull(text_.substr(0, line), nullptr, 16);
    if (text_.size() < begin + size + 2) return false;
    body_left_ = size;
  }
  if (size == 0 && !body_is_chunked_) return false;
  current_->body += text_.substr(begin, size);
  text_.erase(0, begin + size + (body_is_chunked_ ? 2 : 0));
  body_left_ -= size;
  current_->has_whole_body = body_is_chunked_ ? size == 0 : body_left_ == 0;
  nghttp2_session_resume_data(session_.get(), current_id_);
  if (current_->has_whole_body) current_ = nullptr;
  return true;
}

void Http2Translator::take_request(std::string_view text) {
  text_ += text;
  while (current_ ? take_body() : take_head()) {
  }
}

void Http2Translator::receive(std::string_view bytes) {
  const auto taken = nghttp2_session_mem_recv(
      session_.get(), reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
  if (taken < 0) throw std::runtime_error("the server's frames are wrong");
}

std::string Http2Translator::take_output() {
  std::string all;
  for (;;) {
    const std::uint8_t* bytes = nullptr;
    const auto size = nghttp2_session_mem_send(session_.get(), &bytes);
    if (size <= 0) return all;
    all.append(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(size));
  }
}

std::string Http2Translator::take_responses() {
  std::string all;
  while (!streams_.empty()) {
    auto& [id, first] = *streams_.begin();
    all += std::exchange(first.response, {});
    const bool is_over = first.is_closed || (first.is_whole && first.has_whole_body);
    if (!is_over) break;
    is_cut_ = !first.is_whole;
    if (is_cut_ || !first.is_closed) break;
    if (current_ == &first) current_ = nullptr;
    streams_.erase(id);
  }
  return all;
}

bool Http2Translator::has_unsent() const {
  return std::ranges::any_of(streams_, [](const auto& each) {
    return !each.second.body.empty() && !each.second.is_closed;
  });
}

}  // namespace coffer::http
