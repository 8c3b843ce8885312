#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "async/task.h"
#include "base/error.h"

namespace coffer::http {

enum class Method : std::uint8_t { get, head, post, put, patch, del, options, other };

/// The request's body as it arrives. One coroutine at a time.
class Body {
 public:
  virtual ~Body() = default;

  /// The Content-Length; nullopt for a chunked body, 0 for a request without a body.
  virtual std::optional<std::uint64_t> length() const = 0;

  /// The next bytes of the content (without chunk framing), valid until the next call; empty at the
  /// end only. The first call sends `100 Continue` to a client that waits for it. `invalid` if the
  /// framing is broken or the connection ends early, `timed_out` if the client stalls.
  virtual Task<Result<std::span<const std::byte>>> read() = 0;

  /// Ends the connection, if there is one: a read that waits and all later ones fail. Called on the
  /// thread that reads.
  virtual void interrupt() {}
};

struct Header {
  std::string_view name;   ///< As sent; compare without regard to case.
  std::string_view value;  ///< Without surrounding white space.
};

/// One request. Its views are valid while the handler runs.
struct Request {
  Method method = Method::other;
  std::string_view method_text;     ///< As sent, for the log.
  std::string_view path;            ///< Of the target, not decoded: `/api/v1/files`.
  std::string_view query;           ///< Behind the `?`, not decoded.
  std::vector<Header> headers;      ///< In the order sent.
  std::string_view id;              ///< The request's id, also in the log and in `X-Request-Id`.
  std::string_view remote_address;  ///< The client's, by TrustedProxies.
  std::string account;              ///< The name of the caller's account, for the log.
  std::string key_id;               ///< The key's, for the log.
  std::string session_id;           ///< The session's, for the log.
  bool is_secure = false;           ///< It came by HTTPS to a trusted proxy.
  bool is_local = false;            ///< It came through the server's Unix socket.
  std::vector<std::string_view> captures;  ///< The texts of the route's `{…}`, not decoded.
  Body* body = nullptr;                    ///< Never null in a handler.

  /// The value of the header of that name; nullopt if it is missing or repeated.
  std::optional<std::string_view> header(std::string_view name) const;
};

/// Bytes that can be read at any offset, as a response's body needs them.
class Content {
 public:
  virtual ~Content() = default;
  /// Reads up to `out.size()` bytes from `offset`; returns 0 at the end only.
  virtual Task<Result<std::size_t>> read(std::uint64_t offset, std::span<std::byte> out) = 0;
  /// The same without blocking; nullopt if it would block.
  virtual std::optional<std::size_t> read_now(std::uint64_t offset, std::span<std::byte> out) = 0;
  /// A descriptor for sendfile(2); nullopt if there is none.
  virtual std::optional<int> descriptor() const = 0;
  /// Waits until the bytes are in memory, so that sendfile(2) of them does not block. Called only
  /// if there is a descriptor.
  virtual Task<void> prefetch(std::uint64_t offset, std::uint64_t length) = 0;
};

/// A part of a body: literal bytes (multipart framing), then bytes of the content.
struct Stretch {
  std::string before;
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
};

/// A body from a Content: the stretches one after another, then `after`.
struct ContentBody {
  std::shared_ptr<Content> content;
  std::vector<Stretch> stretches;
  std::string after;
};

/// A body of unknown length. One coroutine at a time.
class Stream {
 public:
  virtual ~Stream() = default;
  /// The next bytes, valid until the next call; nullopt at the end. An empty piece means that the
  /// next one takes a while: the server then checks that the client is still connected. After a
  /// failure the server cuts the answer off, so that the client notices that it is incomplete.
  virtual Task<Result<std::optional<std::string_view>>> next() = 0;

  /// True if the next piece may take any time. `end` is then called when the client disconnects or
  /// the server stops, on the thread of `next`, possibly while `next` waits; `next` must then
  /// return the end, at the latest in its following call. A server that stops does not wait for
  /// such streams.
  virtual bool waits_long() const { return false; }
  virtual void end() {}
};

struct Response {
  unsigned status = 200;
  /// Without Content-Length, Transfer-Encoding, Connection, Date and X-Request-Id, which the
  /// connection adds.
  std::vector<std::pair<std::string, std::string>> headers;
  std::variant<std::string, ContentBody, std::shared_ptr<Stream>> body;
  std::shared_ptr<void> held = {};  ///< Released once the response was sent or failed.

  /// Nullopt for a stream.
  std::optional<std::uint64_t> content_length() const;
  bool is_stream() const { return std::holds_alternative<std::shared_ptr<Stream>>(body); }
};

/// Makes the response to a refused request.
using ErrorFormat = Response (*)(unsigned status, std::string_view message);

}  // namespace coffer::http
