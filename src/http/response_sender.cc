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

namespace coffer::http {
namespace {

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

Task<Sent> send_gathered(ResponseWriter& writer, std::string& out, const ContentBody& body) {
  for (const Stretch& stretch : body.stretches) {
    out += stretch.before;
    const auto appended = co_await append_content(*body.content, out, stretch.offset,
                                                  static_cast<std::size_t>(stretch.length));
    if (!appended) co_return not_begun(appended.error());
  }
  out += body.after;
  co_return to_sent(co_await writer.send(out, false));
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

Task<Sent> send_by_file(ResponseWriter& writer, Content& content, int descriptor, Stretch range) {
  const auto executor = co_await asio::this_coro::executor;
  while (range.length > 0) {
    const auto length = std::min(range.length, kFileChunkBytes);
    if (const auto may = co_await content.may_go_on(); !may) co_return broken(may.error());
    if (!is_in_memory(content, range.offset, length)) {
      co_await content.prefetch(range.offset, length);
    }
    const Io sent = co_await writer.send_file(descriptor, range.offset, length);
    if (sent != Io::done) co_return to_sent(sent);
    range.offset += length;
    range.length -= length;
    // A fast reader must not keep the thread from the other connections.
    if (range.length > 0) co_await asio::post(executor, asio::use_awaitable);
  }
  co_return to_sent(Io::done);
}

Task<Sent> send_file_body(ResponseWriter& writer, std::string& out, const ContentBody& body,
                          int descriptor) {
  // Without it each call sends an incomplete packet at its end, which wakes the peer.
  writer.cork(true);
  for (const Stretch& stretch : body.stretches) {
    out += stretch.before;
    const Io head = co_await writer.send(out, true);
    if (head != Io::done) co_return to_sent(head);
    out.clear();
    Stretch range{{}, stretch.offset, stretch.length};
    Sent sent = co_await send_by_file(writer, *body.content, descriptor, std::move(range));
    if (sent.state != Sent::State::done) co_return sent;
  }
  const Io after = co_await writer.send(body.after, false);
  writer.cork(false);
  co_return to_sent(after);
}

/// Sends parts of `all`, the whole content, from where it lies.
Task<Sent> send_bytes(ResponseWriter& writer, std::string& out, const ContentBody& body,
                      std::string_view all) {
  std::size_t left = body.stretches.size();
  for (const Stretch& stretch : body.stretches) {
    out += stretch.before;
    const Io head = co_await writer.send(out, true);
    if (head != Io::done) co_return to_sent(head);
    out.clear();
    const bool more = --left > 0 || !body.after.empty();
    const Io sent = co_await writer.send(all.substr(stretch.offset, stretch.length), more);
    if (sent != Io::done) co_return to_sent(sent);
  }
  out += body.after;
  co_return to_sent(co_await writer.send(out, false));
}

/// Sends the content from where it lies in memory, or through two buffers, reading into one while
/// sending the other; the bytes in `out` are sent before it.
class BufferedSender {
 public:
  BufferedSender(ResponseWriter& writer, std::string& out) : writer_(writer), out_(out) {}

  Task<Sent> send(const ContentBody& body) {
    for (const Stretch& stretch : body.stretches) {
      out_ += stretch.before;
      const Sent sent = co_await send_stretch(*body.content, stretch);
      if (sent.state != Sent::State::done) co_return sent;
    }
    co_return to_sent(co_await writer_.send(body.after, false));
  }

 private:
  /// Bytes of the content: a buffer's, or those that the content itself keeps until it is read on.
  struct Piece {
    std::span<const std::byte> bytes;
    bool is_buffered = false;
  };

  Task<Sent> send_stretch(Content& content, const Stretch& stretch) {
    using namespace asio::experimental::awaitable_operators;
    const auto executor = co_await asio::this_coro::executor;
    Stretch rest{{}, stretch.offset, stretch.length};
    auto next = co_await next_piece(content, rest.offset, rest.length);
    while (rest.length > 0) {
      if (!next || next->bytes.empty()) {
        if (begun_) co_return to_sent(Io::ended);
        co_return not_begun(next ? ended_early() : next.error());
      }
      begun_ = true;
      const Piece piece = *next;
      rest.offset += piece.bytes.size();
      rest.length -= piece.bytes.size();
      Io sent = Io::done;
      if (piece.is_buffered && rest.length > 0) {
        auto both = co_await (put(piece.bytes) && next_piece(content, rest.offset, rest.length));
        sent = std::get<0>(both);
        next = std::get<1>(std::move(both));
      } else {
        sent = co_await put(piece.bytes);
      }
      if (sent != Io::done) co_return to_sent(sent);
      if (rest.length == 0) break;
      // As in send_by_file.
      co_await asio::post(executor, asio::use_awaitable);
      if (const auto may = co_await content.may_go_on(); !may) co_return broken(may.error());
      if (!piece.is_buffered) next = co_await next_piece(content, rest.offset, rest.length);
    }
    co_return to_sent(Io::done);
  }

  Task<Result<Piece>> next_piece(Content& content, std::uint64_t offset, std::uint64_t most) {
    const auto first = [](auto bytes, std::uint64_t count) {
      return bytes.first(static_cast<std::size_t>(std::min<std::uint64_t>(bytes.size(), count)));
    };
    if (const auto seen = content.view(offset); !seen.empty()) {
      co_return Piece{first(seen, std::min(most, kFileChunkBytes))};
    }
    const auto space = first(buffer(), most);
    std::size_t got = 0;
    if (const auto at_once = content.read_now(offset, space)) {
      got = *at_once;
    } else {
      CO_TRY(got, co_await content.read(offset, space));
    }
    co_return Piece{space.first(got), true};
  }

  Task<Io> put(std::span<const std::byte> bytes) {
    const Io head = co_await writer_.send(out_, true);
    out_.clear();
    if (head != Io::done) co_return head;
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    co_return co_await writer_.send(text, false);
  }

  /// Returns the buffer that the piece before was not in.
  std::span<std::byte> buffer() {
    which_ = 1 - which_;
    auto& memory = memory_.at(which_);
    if (!memory) memory = std::make_unique_for_overwrite<std::byte[]>(kSendBufferBytes);
    return {memory.get(), kSendBufferBytes};
  }

  ResponseWriter& writer_;
  std::string& out_;
  bool begun_ = false;
  std::size_t which_ = 0;
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
  PeerWatch(ResponseWriter& writer, Stream& stream) : writer_(writer) {
    writer_.watch_peer([&stream] { stream.end(); });
  }
  ~PeerWatch() { writer_.stop_watching_peer(); }
  PeerWatch(const PeerWatch&) = delete;
  PeerWatch& operator=(const PeerWatch&) = delete;

 private:
  ResponseWriter& writer_;
};

/// Sends the pieces; the bytes in `out` are sent before the next one.
class StreamSender {
 public:
  StreamSender(ResponseWriter& writer, std::string& out)
      : writer_(writer), out_(out), chunks_(writer.framing() == StreamFraming::chunks) {}

  Task<Sent> send(Stream& stream) {
    std::optional<PeerWatch> watch;
    if (stream.waits_long()) watch.emplace(writer_, stream);
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
    if (!chunks_) writer_.reset_when_closed();
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
    if (sent == Io::done) sent = co_await writer_.send(piece, chunks_);
    if (sent == Io::done) sent = co_await writer_.send(end, false);
    co_return sent;
  }

  Task<Io> wait_on() {
    const Io sent = co_await flush(false);
    co_return sent == Io::done&& writer_.has_peer_left() ? Io::ended : sent;
  }

  Task<Io> put_end() {
    if (chunks_) out_ += "0\r\n\r\n";
    co_return co_await flush(false);
  }

  Task<Io> flush(bool more) {
    const Io sent = co_await writer_.send(out_, more);
    out_.clear();
    co_return sent;
  }

  ResponseWriter& writer_;
  std::string& out_;
  const bool chunks_;
};

}  // namespace

Task<Sent> send_response(ResponseWriter& writer, std::string& head, const Response& response) {
  if (const auto* text = std::get_if<std::string>(&response.body)) {
    const bool gather = text->size() <= kGatherBytes;
    if (gather) head += *text;
    const Io first = co_await writer.send(head, !gather);
    if (gather || first != Io::done) co_return to_sent(first);
    co_return to_sent(co_await writer.send(*text, false));
  }
  const auto& body = std::get<ContentBody>(response.body);
  if (const auto all = body.content->bytes()) {
    co_return co_await send_bytes(writer, head, body, *all);
  }
  if (*response.content_length() <= kGatherBytes) {
    co_return co_await send_gathered(writer, head, body);
  }
  if (const auto descriptor = body.content->descriptor()) {
    co_return co_await send_file_body(writer, head, body, *descriptor);
  }
  BufferedSender sender(writer, head);
  co_return co_await sender.send(body);
}

Task<Sent> send_stream(ResponseWriter& writer, std::string& head, Stream& stream) {
  StreamSender sender(writer, head);
  co_return co_await sender.send(stream);
}

}  // namespace coffer::http
