#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "http/message.h"

namespace coffer::http {

/// Splits a request's target (RFC 9112, section 3.2) into path and query. Accepts the origin form,
/// the absolute form with a valid authority (which is ignored), and `*` for OPTIONS. Returns false
/// for any other target, and if the target has a fragment or characters outside visible ASCII.
bool read_target(std::string_view target, Request& request);

/// True if the text is `uri-host [":" port]` (RFC 9110, section 7.2), and the host is not empty.
bool is_host(std::string_view text);

/// Finds the end of a request's head while its bytes arrive. Looks at each byte only once.
class HeadScanner {
 public:
  enum class State : std::uint8_t { incomplete, complete, bare_line_feed };

  /// Must be called with all bytes received since `restart`, old and new. Scans only the new bytes.
  /// Returns `bare_line_feed` if a line feed has no carriage return before it.
  State scan(std::string_view bytes);
  /// Returns the size of the complete head, including the blank line at its end.
  std::size_t size() const { return line_start_; }
  void restart() { line_start_ = scanned_ = 0; }

 private:
  std::size_t line_start_ = 0;
  std::size_t scanned_ = 0;
};

/// The framing of a request's body, and the persistence of the connection (RFC 9112).
struct Framing {
  bool http_1_0 = false;
  bool keep_alive = true;
  bool expects_continue = false;
  bool chunked = false;
  std::uint64_t content_length = 0;
};

/// The status and the message of the response to a request whose head is refused.
struct Refusal {
  unsigned status = 400;
  std::string_view message;
};

/// Parses a complete head, including its blank line. Fills `framing`, and the method, path, query
/// and headers of `request`, which are views of `head`. Returns nullopt if the head is valid. To
/// prevent request smuggling, refuses all that a proxy in front could read differently:
/// - bytes that the grammar forbids, and folded lines;
/// - a Content-Length that is not one number;
/// - any Transfer-Encoding except a single `chunked`; in HTTP/1.0 any Transfer-Encoding;
/// - a Transfer-Encoding together with a Content-Length;
/// - a malformed or repeated Host; in HTTP/1.1 also a missing Host.
std::optional<Refusal> parse_head(std::string_view head, Request& request, Framing& framing);

}  // namespace coffer::http
