#include "http/stream_sender.h"

#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <charconv>
#include <optional>
#include <string_view>
#include <utility>

namespace coffer::http {
namespace {

/// A piece of this size goes out with its framing in one call.
constexpr std::size_t kGatherBytes = 64 * 1024;

Sent broken(Error error) {
  return {Sent::State::broken, std::move(error)};
}

void append_chunk_size(std::string& out, std::size_t size) {
  char digits[16];
  const auto end = std::to_chars(digits, digits + sizeof digits, size, 16).ptr;
  out.append(digits, end);
  out += "\r\n";
}

/// Ends the stream when the client leaves while nothing is sent.
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

/// Puts the pieces onto the connection; `out` holds what is to go out in front of the next.
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

Task<Sent> send_stream(Transport& transport, std::string& head, Stream& stream,
                       StreamFraming framing) {
  StreamSender sender(transport, head, framing);
  co_return co_await sender.send(stream);
}

}  // namespace coffer::http
