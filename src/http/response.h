#pragma once

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

/// Bytes that can be read at any offset, as a response's body needs them.
class Content {
 public:
  virtual ~Content() = default;
  /// Up to `out.size()` bytes from `offset`; 0 at the end only.
  virtual Task<Result<std::size_t>> read(std::uint64_t offset, std::span<std::byte> out) = 0;
  /// The same without waiting; nothing when it would have to.
  virtual std::optional<std::size_t> read_now(std::uint64_t offset, std::span<std::byte> out) = 0;
  /// A descriptor fit for sendfile(2), where there is one.
  virtual std::optional<int> descriptor() const = 0;
  /// Waits until the bytes are in memory, so that sendfile(2) of them does not block. Only called
  /// where there is a descriptor.
  virtual Task<void> prefetch(std::uint64_t offset, std::uint64_t length) = 0;
};

/// A stretch of a body: some literal bytes (multipart framing), then bytes of the content.
struct Stretch {
  std::string before;
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
};

/// A body taken from a Content; what is sent is the stretches one after another, then `after`.
struct ContentBody {
  std::shared_ptr<Content> content;
  std::vector<Stretch> stretches;
  std::string after;
};

/// A body whose length shows at its end. One coroutine at a time.
class Stream {
 public:
  virtual ~Stream() = default;
  /// The next bytes, valid until the next call; nothing at the end. An empty piece says that the
  /// next takes a while, so that it is looked whether the client still waits. A failure breaks the
  /// answer off, so that the client does not take what it has for the whole.
  virtual Task<Result<std::optional<std::string_view>>> next() = 0;

  /// True if the next piece may take any time. Then `end` is called as soon as the client has left
  /// or the server stops, which waits for no such stream, on the thread of `next` and maybe while
  /// that waits; at the latest the call after it is to return the end.
  virtual bool waits_long() const { return false; }
  virtual void end() {}
};

struct Response {
  unsigned status = 200;
  /// Without Content-Length, Transfer-Encoding, Connection, Date and X-Request-Id, which the
  /// connection adds.
  std::vector<std::pair<std::string, std::string>> headers;
  std::variant<std::string, ContentBody, std::shared_ptr<Stream>> body;
  std::shared_ptr<void> held = {};  ///< Let go of once it was sent, or cannot be.

  /// Nothing for a stream.
  std::optional<std::uint64_t> content_length() const;
  bool is_stream() const { return std::holds_alternative<std::shared_ptr<Stream>>(body); }
};

/// Makes the answer of a request that is refused.
using ErrorFormat = Response (*)(unsigned status, std::string_view message);

}  // namespace coffer::http
