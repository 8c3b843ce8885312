#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "async/task.h"
#include "http/io.h"
#include "http/message.h"

namespace coffer::http {

/// The way in which the client recognizes the end of a stream: by the last chunk (RFC 9112, section
/// 7.1), by the end of the connection in HTTP/1.0, which has no chunks, or by a frame of HTTP/2.
enum class StreamFraming : std::uint8_t { chunks, connection, frames };

/// The way of responses to their client: a connection of HTTP/1.1, or a stream of HTTP/2. Used by
/// one coroutine at a time, on the thread of the connection.
class ResponseWriter {
 public:
  virtual ~ResponseWriter() = default;

  /// Appends the head of the response to `out`, without the lines that all responses have, which
  /// the caller appends, and without the blank line at its end.
  virtual void begin_head(std::string& out, const Response& response) = 0;
  /// Completes the head in `out`, which the caller then sends before the body. May take it out of
  /// there, to send it with the first bytes of the body. Called again if the response is replaced
  /// before a byte was sent.
  virtual void end_head(std::string& out) = 0;

  virtual StreamFraming framing() const = 0;
  /// Sends all of `bytes`. Set `more` if other bytes are sent right afterwards. `timed_out` if the
  /// client takes them more slowly than the TransferLimits allow and may not pause.
  virtual Task<Io> send(std::string_view bytes, bool more) = 0;
  /// Sends `length` bytes of the file, as `send`. `ended` also if the file ends before that.
  virtual Task<Io> send_file(int descriptor, std::uint64_t offset, std::uint64_t length) = 0;
  /// Ends a response all of whose bytes were sent.
  virtual Task<Io> finish() = 0;
  /// While corked, only full packets are sent; uncorking sends the rest.
  virtual void cork(bool corked) = 0;

  /// Returns true if the client does not wait for the response any more.
  virtual bool has_peer_left() = 0;
  /// Calls `left` once, on this thread, when the client leaves while no bytes are sent.
  virtual void watch_peer(std::function<void()> left) = 0;
  virtual void stop_watching_peer() = 0;
  /// Makes the client see that what it received is incomplete.
  virtual void reset_when_closed() = 0;

  /// While this is set, the client may take the response as slowly as it likes.
  virtual void let_pause(bool may_pause) = 0;
  /// Returns since when the client has been slower than the TransferLimits allow; nullopt if it is
  /// not.
  virtual std::optional<Instant> stalled_since() const = 0;
  /// Breaks the response off: the running operation and all later ones end with `ended`.
  virtual void cut() = 0;
  virtual bool is_cut() const = 0;
  /// Returns true if no response of this connection is taken by its client at present.
  virtual bool frees_connection() const = 0;
  /// Breaks the connection off, with all its responses.
  virtual void cut_connection() = 0;
  /// Returns the bytes of all responses that were sent this way, with their heads.
  virtual std::uint64_t bytes_sent() const = 0;
};

}  // namespace coffer::http
