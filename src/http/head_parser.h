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

/// Returns true if the text is `uri-host [":" port]` (RFC 9110, section 7.2) with a host.
bool is_host(std::string_view text);

/// Finds the end of a request's head while its bytes arrive. Looks at each byte only once.
class HeadScanner {
 public:
  enum class State : std::uint8_t { incomplete, complete, bare_line_feed };

  /// Scans `bytes`, which must be all bytes since `restart`, including those of earlier calls.
  /// Returns `bare_line_feed` if a line feed has no carriage return before it.
  State scan(std::string_view bytes);
  /// Returns the size of a complete head with its blank line; 2 if the head is only a blank line.
  std::size_t size() const { return line_start_; }
  void restart() { line_start_ = scanned_ = 0; }

 private:
  std::size_t line_start_ = 0;
  std::size_t scanned_ = 0;
};

/// The framing of the body after a head, and the persistence of the connection (RFC 9112).
struct Framing {
  bool http_1_0 = false;
  bool keep_alive = true;
  bool expects_continue = false;
  bool chunked = false;
  std::uint64_t content_length = 0;
};

/// The error with which a request's head is refused. The message is a whole sentence.
struct Refusal {
  unsigned status = 400;
  std::string_view message;
};

/// Parses a complete head, including its blank line. Fills `framing`, and the method, target and
/// headers of `request`, which are views of `head`. Returns nullopt if the head is valid. Refuses
/// every head that a proxy in front could read differently (request smuggling):
/// - bytes outside the grammar, and folded lines;
/// - a Content-Length that is not one number;
/// - any Transfer-Encoding except a single `chunked`; in HTTP/1.0 any Transfer-Encoding;
/// - a Transfer-Encoding together with a Content-Length;
/// - a malformed or repeated Host; in HTTP/1.1 also a missing Host.
std::optional<Refusal> parse_head(std::string_view head, Request& request, Framing& framing);

}  // namespace coffer::http
