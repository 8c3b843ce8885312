#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "async/task.h"
#include "base/error.h"

namespace coffer::http {

enum class Method : std::uint8_t { get, head, post, put, patch, del, options, other };

/// The request's body as it arrives. One coroutine at a time.
class Body {
 public:
  virtual ~Body() = default;

  /// The Content-Length; nothing for a chunked body, 0 for a request without a body.
  virtual std::optional<std::uint64_t> length() const = 0;

  /// The next bytes of the content (chunk framing removed), valid until the next call; empty at the
  /// end only. The first call sends `100 Continue` to a client that waits for it. `invalid` when
  /// the framing is broken or the connection ends early, `timed_out` when the client stalls.
  virtual Task<Result<std::span<const std::byte>>> read() = 0;

  /// Ends the connection, if there is one: a read that waits fails, and so do all that follow. On
  /// the thread that reads.
  virtual void interrupt() {}
};

struct Header {
  std::string_view name;   ///< As sent; compare without regard to case.
  std::string_view value;  ///< Without surrounding white space.
};

/// One request, its views valid while the handler runs.
struct Request {
  Method method = Method::other;
  std::string_view method_text;     ///< As sent, for the log.
  std::string_view path;            ///< Of the target, not decoded: `/api/v1/files`.
  std::string_view query;           ///< Behind the `?`, not decoded.
  std::vector<Header> headers;      ///< In the order sent.
  std::string_view id;              ///< The request's id, also in the log and in `X-Request-Id`.
  std::string_view remote_address;  ///< The client's, as far as trusted proxies tell.
  std::string account;     ///< Whose it is, for the log; of callers only where that names them.
  std::string key_id;      ///< Of the key that it came with, for the log.
  std::string session_id;  ///< Of the session, for the log.
  bool is_secure = false;  ///< It came by HTTPS to a trusted proxy.
  bool is_local = false;   ///< It came through the server's Unix socket.
  std::vector<std::string_view> captures;  ///< What the route's `{…}` matched, not decoded.
  Body* body = nullptr;                    ///< Never null in a handler.

  /// The value of the only header of that name; nothing where it is missing or stands twice.
  std::optional<std::string_view> header(std::string_view name) const;
};

}  // namespace coffer::http
