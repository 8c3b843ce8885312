#include "http/response_sender.h"

#include <algorithm>
#include <array>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <charconv>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "http/syntax.h"

namespace coffer::http {
namespace {

struct StatusLine {
  unsigned status;
  std::string_view text;
};

constexpr StatusLine kStatusLines[] = {
    {200, "HTTP/1.1 200 OK\r\n"},
    {201, "HTTP/1.1 201 Created\r\n"},
    {202, "HTTP/1.1 202 Accepted\r\n"},
    {204, "HTTP/1.1 204 No Content\r\n"},
    {206, "HTTP/1.1 206 Partial Content\r\n"},
    {301, "HTTP/1.1 301 Moved Permanently\r\n"},
    {302, "HTTP/1.1 302 Found\r\n"},
    {303, "HTTP/1.1 303 See Other\r\n"},
    {304, "HTTP/1.1 304 Not Modified\r\n"},
    {307, "HTTP/1.1 307 Temporary Redirect\r\n"},
    {308, "HTTP/1.1 308 Permanent Redirect\r\n"},
    {400, "HTTP/1.1 400 Bad Request\r\n"},
    {401, "HTTP/1.1 401 Unauthorized\r\n"},
    {403, "HTTP/1.1 403 Forbidden\r\n"},
    {404, "HTTP/1.1 404 Not Found\r\n"},
    {405, "HTTP/1.1 405 Method Not Allowed\r\n"},
    {408, "HTTP/1.1 408 Request Timeout\r\n"},
    {409, "HTTP/1.1 409 Conflict\r\n"},
    {410, "HTTP/1.1 410 Gone\r\n"},
    {412, "HTTP/1.1 412 Precondition Failed\r\n"},
    {413, "HTTP/1.1 413 Content Too Large\r\n"},
    {415, "HTTP/1.1 415 Unsupported Media Type\r\n"},
    {416, "HTTP/1.1 416 Range Not Satisfiable\r\n"},
    {417, "HTTP/1.1 417 Expectation Failed\r\n"},
    {423, "HTTP/1.1 423 Locked\r\n"},
    {429, "HTTP/1.1 429 Too Many Requests\r\n"},
    {431, "HTTP/1.1 431 Request Header Fields Too Large\r\n"},
    {460, "HTTP/1.1 460 Checksum Mismatch\r\n"},
    {500, "HTTP/1.1 500 Internal Server Error\r\n"},
    {502, "HTTP/1.1 502 Bad Gateway\r\n"},
    {503, "HTTP/1.1 503 Service Unavailable\r\n"},
    {504, "HTTP/1.1 504 Gateway Timeout\r\n"},
    {505, "HTTP/1.1 505 HTTP Version Not Supported\r\n"},
    {507, "HTTP/1.1 507 Insufficient Storage\r\n"},
};

std::string_view status_line(unsigned status) {
  for (const StatusLine& line : kStatusLines) {
    if (line.status == status) return line.text;
  }
  return {};
}

void append_number(std::string& out, std::uint64_t value) {
  char digits[20];
  const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
  out.append(digits, end);
}

void append_value(std::string& out, std::string_view value) {
  const auto start = out.size();
  out += value;
  const auto is_control = [](char c) {
    return (static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7F;
  };
  std::replace_if(out.begin() + static_cast<std::ptrdiff_t>(start), out.end(), is_control, ' ');
}

/// The connection adds this header to every response.
bool is_added_elsewhere(std::string_view name) {
  return equal_ignoring_case(name, "X-Content-Type-Options");
}

/// Answers depend on the caller and on rights that may end: a cache must validate them before each
/// use (otherwise RFC 9111, section 4.2.2, lets it guess a lifetime).
constexpr std::string_view kNotForOthers = "Cache-Control: private, no-cache\r\n";

/// A stream for HTTP/1.0, which has no chunks, ends with its connection.
void append_framing(std::string& out, const Response& response, Persistence persistence) {
  if (const auto length = response.content_length()) {
    out += "Content-Length: ";
    append_number(out, *length);
    out += "\r\n";
  } else if (persistence == Persistence::keep || persistence == Persistence::close) {
    out += "Transfer-Encoding: chunked\r\n";
  }
}

/// Answers up to this size are joined with their heads. A client that reads nothing holds so much.
constexpr std::size_t kGatherBytes = 16 * 1024;
/// A client that reads nothing holds two of these, and its account answers for them.
constexpr std::size_t kSendBufferBytes = 256 * 1024;
constexpr std::uint64_t kFileChunkBytes = 2 * 1024 * 1024;

Sent to_sent(Io io) {
  return {io == Io::done ? Sent::State::done : Sent::State::broken, {}};
}

Sent not_begun(Error error) {
  return {Sent::State::not_begun, std::move(error)};
}

Error ended_early() {
  return {ErrorCode::failed, "The content could not be read in full."};
}

/// Appends `length` bytes of the content to `out`, without waiting if possible.
Task<Result<void>> append_content(Content& content, std::string& out, std::uint64_t offset,
                                  std::size_t length) {
  const std::size_t start = out.size();
  out.resize(start + length);
  std::size_t done = 0;
  while (done < length) {
    const auto space = std::as_writable_bytes(std::span(out)).subspan(start + done, length - done);
    std::size_t got = 0;
    if (const auto at_once = content.read_now(offset + done, space)) {
      got = *at_once;
    } else {
      CO_TRY(auto waited, co_await content.read(offset + done, space));
      got = waited;
    }
    if (got == 0) co_return std::unexpected(ended_early());
    done += got;
  }
  co_return Result<void>();
}

Task<Sent> send_gathered(Transport& transport, std::string& out, const ContentBody& body) {
  for (const Stretch& stretch : body.stretches) {
    out += stretch.before;
    const auto appended = co_await append_content(*body.content, out, stretch.offset,
                                                  static_cast<std::size_t>(stretch.length));
    if (!appended) co_return not_begun(appended.error());
  }
  out += body.after;
  co_return to_sent(co_await transport.send(out, false));
}

/// True if reads at both ends of the range would not block; because of readahead, the rest then
/// seldom does.
bool is_in_memory(Content& content, std::uint64_t offset, std::uint64_t length) {
  std::byte probe[1];
  return content.read_now(offset, probe) && content.read_now(offset + length - 1, probe);
}

Sent broken(Error error) {
  return {Sent::State::broken, std::move(error)};
}

Task<Sent> send_by_file(Transport& transport, Content& content, int descriptor, Stretch range) {
  const auto executor = co_await asio::this_coro::executor;
  while (range.length > 0) {
    const auto length = std::min(range.length, kFileChunkBytes);
    if (const auto may = co_await content.may_go_on(); !may) co_return broken(may.error());
    if (!is_in_memory(content, range.offset, length)) {
      co_await content.prefetch(range.offset, length);
    }
    const Io sent = co_await transport.send_file(descriptor, range.offset, length);
    if (sent != Io::done) co_return to_sent(sent);
    range.offset += length;
    range.length -= length;
    // A fast reader must not keep the thread from the other connections.
    if (range.length > 0) co_await asio::post(executor, asio::use_awaitable);
  }
  co_return to_sent(Io::done);
}

Task<Sent> send_file_body(Transport& transport, std::string& out, const ContentBody& body,
                          int descriptor) {
  // Without it each call sends an incomplete packet at its end, which wakes the peer.
  transport.cork(true);
  for (const Stretch& stretch : body.stretches) {
    out += stretch.before;
    const Io head = co_await transport.send(out, true);
    if (head != Io::done) co_return to_sent(head);
    out.clear();
    Stretch range{{}, stretch.offset, stretch.length};
    Sent sent = co_await send_by_file(transport, *body.content, descriptor, std::move(range));
    if (sent.state != Sent::State::done) co_return sent;
  }
  const Io after = co_await transport.send(body.after, false);
  transport.cork(false);
  co_return to_sent(after);
}

/// Sends parts of `all`, the whole content, from where it lies.
Task<Sent> send_bytes(Transport& transport, std::string& out, const ContentBody& body,
                      std::string_view all) {
  std::size_t left = body.stretches.size();
  for (const Stretch& stretch : body.stretches) {
    out += stretch.before;
    const Io head = co_await transport.send(out, true);
    if (head != Io::done) co_return to_sent(head);
    out.clear();
    const bool more = --left > 0 || !body.after.empty();
    const Io sent = co_await transport.send(all.substr(stretch.offset, stretch.length), more);
    if (sent != Io::done) co_return to_sent(sent);
  }
  out += body.after;
  co_return to_sent(co_await transport.send(out, false));
}

/// Sends the content through two buffers, reading into one while sending the other; the bytes in
/// `out` are sent before it.
class BufferedSender {
 public:
  BufferedSender(Transport& transport, std::string& out) : transport_(transport), out_(out) {}

  Task<Sent> send(const ContentBody& body) {
    for (const Stretch& stretch : body.stretches) {
      out_ += stretch.before;
      const Sent sent = co_await send_stretch(*body.content, stretch);
      if (sent.state != Sent::State::done) co_return sent;
    }
    co_return to_sent(co_await transport_.send(body.after, false));
  }

 private:
  Task<Sent> send_stretch(Content& content, const Stretch& stretch) {
    using namespace asio::experimental::awaitable_operators;
    const auto executor = co_await asio::this_coro::executor;
    Stretch rest{{}, stretch.offset, stretch.length};
    auto space = buffer(0, rest);
    auto got = co_await content.read(rest.offset, space);
    for (std::size_t which = 0; rest.length > 0; which = 1 - which) {
      if (!got || *got == 0) {
        if (begun_) co_return to_sent(Io::ended);
        co_return not_begun(got ? ended_early() : got.error());
      }
      begun_ = true;
      const auto full = space.first(*got);
      rest.offset += full.size();
      rest.length -= full.size();
      space = buffer(1 - which, rest);
      Io sent = Io::done;
      if (space.empty()) {
        sent = co_await put(full);
      } else {
        auto both = co_await (put(full) && read(content, rest.offset, space));
        sent = std::get<0>(both);
        got = std::get<1>(std::move(both));
      }
      if (sent != Io::done) co_return to_sent(sent);
      if (rest.length == 0) break;
      // As in send_by_file.
      co_await asio::post(executor, asio::use_awaitable);
      if (const auto may = co_await content.may_go_on(); !may) co_return broken(may.error());
    }
    co_return to_sent(Io::done);
  }

  static Task<Result<std::size_t>> read(Content& content, std::uint64_t offset,
                                        std::span<std::byte> out) {
    if (const auto at_once = content.read_now(offset, out)) co_return *at_once;
    co_return co_await content.read(offset, out);
  }

  Task<Io> put(std::span<const std::byte> bytes) {
    const Io head = co_await transport_.send(out_, true);
    out_.clear();
    if (head != Io::done) co_return head;
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    co_return co_await transport_.send(text, false);
  }

  std::span<std::byte> buffer(std::size_t which, const Stretch& rest) {
    const auto size =
        static_cast<std::size_t>(std::min<std::uint64_t>(rest.length, kSendBufferBytes));
    auto& memory = memory_.at(which);
    if (size > 0 && !memory) memory = std::make_unique_for_overwrite<std::byte[]>(kSendBufferBytes);
    return {memory.get(), size};
  }

  Transport& transport_;
  std::string& out_;
  bool begun_ = false;
  std::array<std::unique_ptr<std::byte[]>, 2> memory_;
};

void append_chunk_size(std::string& out, std::size_t size) {
  char digits[16];
  const auto end = std::to_chars(digits, digits + sizeof digits, size, 16).ptr;
  out.append(digits, end);
  out += "\r\n";
}

/// Ends the stream when the client disconnects while no bytes are sent.
class PeerWatch {
 public:
  PeerWatch(Transport& transport, Stream& stream) : transport_(transport) {
    transport_.watch_peer([&stream] { stream.end(); });
  }
  ~PeerWatch() { transport_.stop_watching_peer(); }
  PeerWatch(const PeerWatch&) = delete;
  PeerWatch& operator=(const PeerWatch&) = delete;

 private:
  Transport& transport_;
};

/// Sends the pieces; the bytes in `out` are sent before the next one.
class StreamSender {
 public:
  StreamSender(Transport& transport, std::string& out, StreamFraming framing)
      : transport_(transport), out_(out), chunks_(framing == StreamFraming::chunks) {}

  Task<Sent> send(Stream& stream) {
    std::optional<PeerWatch> watch;
    if (stream.waits_long()) watch.emplace(transport_, stream);
    co_return co_await send_all(stream);
  }

 private:
  Task<Sent> send_all(Stream& stream) {
    const auto executor = co_await asio::this_coro::executor;
    for (bool begun = false;; begun = true) {
      const auto piece = co_await stream.next();
      if (!piece) co_return break_off(piece.error(), begun);
      const Io sent = *piece ? co_await put(**piece) : co_await put_end();
      if (sent != Io::done) co_return broken({});
      if (!*piece) co_return Sent();
      // A fast reader must not keep the thread from the other connections.
      co_await asio::post(executor, asio::use_awaitable);
    }
  }

  Sent break_off(const Error& error, bool begun) {
    if (!begun) return {Sent::State::not_begun, error};
    if (!chunks_) transport_.reset_when_closed();
    return broken(error);
  }

  Task<Io> put(std::string_view piece) {
    if (piece.empty()) co_return co_await wait_on();
    if (chunks_) append_chunk_size(out_, piece.size());
    const std::string_view end = chunks_ ? "\r\n" : "";
    if (piece.size() <= kGatherBytes) {
      out_ += piece;
      out_ += end;
      co_return co_await flush(false);
    }
    Io sent = co_await flush(true);
    if (sent == Io::done) sent = co_await transport_.send(piece, chunks_);
    if (sent == Io::done) sent = co_await transport_.send(end, false);
    co_return sent;
  }

  Task<Io> wait_on() {
    const Io sent = co_await flush(false);
    co_return sent == Io::done&& transport_.has_peer_left() ? Io::ended : sent;
  }

  Task<Io> put_end() {
    if (chunks_) out_ += "0\r\n\r\n";
    co_return co_await flush(false);
  }

  Task<Io> flush(bool more) {
    const Io sent = co_await transport_.send(out_, more);
    out_.clear();
    co_return sent;
  }

  Transport& transport_;
  std::string& out_;
  const bool chunks_;
};

}  // namespace

void append_response_head(std::string& out, const Response& response, Persistence persistence) {
  if (const auto line = status_line(response.status); !line.empty()) {
    out += line;
  } else {
    out += "HTTP/1.1 ";
    append_number(out, response.status);
    out += " \r\n";
  }
  bool says_who_caches = false;
  for (const auto& [name, value] : response.headers) {
    if (is_added_elsewhere(name)) continue;
    says_who_caches |= equal_ignoring_case(name, "Cache-Control");
    out += name;
    out += ": ";
    append_value(out, value);
    out += "\r\n";
  }
  if (!says_who_caches) out += kNotForOthers;
  // RFC 9110, section 8.6: none in a 204, and a 304 would have to repeat that of the 200.
  if (response.status != 204 && response.status != 304) {
    append_framing(out, response, persistence);
  }
  const bool closes =
      persistence == Persistence::close || persistence == Persistence::close_http_1_0;
  if (closes) out += "Connection: close\r\n";
  if (persistence == Persistence::keep_http_1_0) out += "Connection: keep-alive\r\n";
}

Task<Sent> send_response(Transport& transport, std::string& head, const Response& response) {
  if (const auto* text = std::get_if<std::string>(&response.body)) {
    const bool gather = text->size() <= kGatherBytes;
    if (gather) head += *text;
    const Io first = co_await transport.send(head, !gather);
    if (gather || first != Io::done) co_return to_sent(first);
    co_return to_sent(co_await transport.send(*text, false));
  }
  const auto& body = std::get<ContentBody>(response.body);
  if (const auto all = body.content->bytes()) {
    co_return co_await send_bytes(transport, head, body, *all);
  }
  if (*response.content_length() <= kGatherBytes) {
    co_return co_await send_gathered(transport, head, body);
  }
  if (const auto descriptor = body.content->descriptor()) {
    co_return co_await send_file_body(transport, head, body, *descriptor);
  }
  BufferedSender sender(transport, head);
  co_return co_await sender.send(body);
}

Task<Sent> send_stream(Transport& transport, std::string& head, Stream& stream,
                       StreamFraming framing) {
  StreamSender sender(transport, head, framing);
  co_return co_await sender.send(stream);
}

}  // namespace coffer::http
