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

enum class Method : std::uint8_t {
  get,
  head,
  post,
  put,
  patch,
  del,
  options,
  // Of WebDAV (RFC 4918):
  propfind,
  proppatch,
  mkcol,
  copy,
  move,
  lock,
  unlock,
  other,
};

/// A request's body, read while it arrives. Used by one coroutine at a time.
class Body {
 public:
  virtual ~Body() = default;

  /// Returns the Content-Length; nullopt for a chunked body, 0 for a request without a body.
  virtual std::optional<std::uint64_t> length() const = 0;

  /// Returns the next bytes of the content (without chunk framing), valid until the next call. An
  /// empty span means the end. The first call sends `100 Continue` if the client waits for it.
  /// `invalid` if the framing is broken or the body ends early. `timed_out` if the client stalls.
  virtual Task<Result<std::span<const std::byte>>> read() = 0;

  /// Cuts the connection. A waiting call of `read` and all later calls then fail. Must be called on
  /// the thread that calls `read`. Does nothing for a body without a connection.
  virtual void interrupt() {}

  /// Returns true if the client has left, or has ended its sending side, which most do only to
  /// leave. Must be called on the thread that calls `read`. False for a body without a connection.
  virtual bool has_client_left() { return false; }
};

struct Header {
  std::string_view name;   ///< As sent; callers must compare it ignoring case.
  std::string_view value;  ///< The value without white space around it.
};

/// One request. Its views are valid while its handler runs.
struct Request {
  Method method = Method::other;
  std::string_view method_text;  ///< The method as sent, for the log.
  std::string_view path;         ///< The target's path, not decoded, like `/api/v1/files`.
  /// ServerOptions::base_path, which `path` is without. What is told to a browser begins with it.
  std::string_view base_path;
  std::string_view query;           ///< The text after the `?`, not decoded.
  std::vector<Header> headers;      ///< All headers, in the order sent.
  std::string_view id;              ///< The request's id, also in the log and in `X-Request-Id`.
  std::string_view remote_address;  ///< The client's address, found by TrustedProxies.
  std::string account;              ///< The name of the caller's account, set by the handler.
  std::string key_id;               ///< The id of the caller's key, set by the handler for the log.
  std::string session_id;           ///< The id of the caller's session, set like `key_id`.
  bool is_secure = false;    ///< True if the request came by HTTPS, here or to a trusted proxy.
  bool is_by_proxy = false;  ///< True if a trusted proxy sent the request (TrustedProxies).
  bool is_local = false;     ///< True if the request came through a Unix socket.
  std::vector<std::string_view> captures;  ///< The text for each `{name}` of the route, undecoded.
  Body* body = nullptr;                    ///< Never null in a handler.

  /// Returns the value of the header `name`; nullopt if the header is missing or repeated.
  std::optional<std::string_view> header(std::string_view name) const;
  /// True if at least one header has this name.
  bool has(std::string_view name) const;
};

/// The content of a response's body, which can be read at any offset.
class Content {
 public:
  virtual ~Content() = default;
  /// Returns the whole content if it lies in memory as long as this object exists; else nullopt.
  /// Such a content is sent from where it lies.
  virtual std::optional<std::string_view> bytes() const { return std::nullopt; }
  /// Reads up to `out.size()` bytes from `offset` and returns their number; 0 only at the end.
  virtual Task<Result<std::size_t>> read(std::uint64_t offset, std::span<std::byte> out) = 0;
  /// Reads like `read`, but returns nullopt at once if that could block.
  virtual std::optional<std::size_t> read_now(std::uint64_t offset, std::span<std::byte> out) = 0;
  /// Returns bytes from `offset` that lie in memory already, without blocking; empty if there are
  /// none. Valid until the next call of `read` or `read_now`.
  virtual std::span<const std::byte> view(std::uint64_t /*offset*/) { return {}; }
  /// Returns a descriptor for sendfile(2), owned by this object; nullopt if there is none.
  virtual std::optional<int> descriptor() const = 0;
  /// Loads `length` bytes from `offset` from the disk into memory, so that sendfile(2) does not
  /// block when it sends them. Called only if there is a descriptor.
  virtual Task<void> prefetch(std::uint64_t offset, std::uint64_t length) = 0;
  /// Called before each piece of a long body, that is after a megabyte or two. If it fails, the
  /// response is cut off, for example because the client lost its right to the content.
  virtual Task<Result<void>> may_go_on() { co_return Result<void>{}; }
};

/// A part of a ContentBody: the bytes of `before`, which may be empty, then a range of the content.
struct Stretch {
  std::string before;
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
};

/// A body of one or more ranges of a Content: all stretches in order, then the bytes of `after`.
struct ContentBody {
  std::shared_ptr<Content> content;
  std::vector<Stretch> stretches;
  std::string after;
};

/// A response's body whose length is not known in advance. Used by one coroutine at a time.
class Stream {
 public:
  virtual ~Stream() = default;
  /// Returns the next piece, valid until the next call; nullopt at the end. An empty piece means
  /// that the next piece takes a while. The server then checks that the client is still connected.
  /// If the first call fails, the server sends an error instead. If a later call fails, it cuts the
  /// response off in a way that shows the client that the response is incomplete.
  virtual Task<Result<std::optional<std::string_view>>> next() = 0;

  /// Returns true if `next` may wait without a time limit. The server calls `end` of such a stream
  /// when the client disconnects or the server stops.
  virtual bool waits_long() const { return false; }
  /// Ends the stream: a waiting call of `next` must return soon, and that call of `next` or the
  /// following one must return nullopt. Called on the thread that calls `next`.
  virtual void end() {}
};

struct Response {
  unsigned status = 200;
  /// Must not contain Content-Length, Transfer-Encoding, Connection, Date and X-Request-Id: the
  /// server adds these headers when it sends the response. A Location that begins with a slash is
  /// without the base path, which the server adds too.
  std::vector<std::pair<std::string, std::string>> headers;
  std::variant<std::string, ContentBody, std::shared_ptr<Stream>> body;
  std::shared_ptr<void> held = {};  ///< An object to keep until the response has been sent.
  /// True if people pause such answers, as downloads and films: the client may stop reading for any
  /// time, and is cut off only if the server runs short of connections or memory.
  bool may_pause = false;

  /// Returns the number of bytes of the body; nullopt for a stream.
  std::optional<std::uint64_t> content_length() const;
  bool is_stream() const { return std::holds_alternative<std::shared_ptr<Stream>>(body); }
};

/// A function that makes an error response with this status and message.
using ErrorFormat = Response (*)(unsigned status, std::string_view message);
/// A function that makes the response to a failure, and logs those of this machine.
using FailureFormat = Response (*)(const Error& error);

}  // namespace coffer::http
