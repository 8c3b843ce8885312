#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "http/message.h"

namespace coffer::http {

/// Splits a request's target (RFC 9112, section 3.2) into path and query. Origin and absolute form
/// (whose authority must be valid and is then ignored), and `*` for OPTIONS. False for anything
/// else, for a fragment and for characters outside visible ASCII.
bool read_target(std::string_view target, Request& request);

/// `uri-host [":" port]` of RFC 9110, section 7.2, not empty.
bool is_host(std::string_view text);

/// Finds the end of a request's head while its bytes arrive, reading each byte once.
class HeadScanner {
 public:
  enum class State : std::uint8_t { incomplete, complete, bare_line_feed };

  /// Scans the bytes since `restart`, those of earlier calls included. `bare_line_feed` at the
  /// first line feed without a carriage return.
  State scan(std::string_view bytes);
  /// The size of a complete head with its blank line; 2 if there is only the blank line.
  std::size_t size() const { return line_start_; }
  void restart() { line_start_ = scanned_ = 0; }

 private:
  std::size_t line_start_ = 0;
  std::size_t scanned_ = 0;
};

/// The framing of the message after a head, and the persistence of the connection (RFC 9112).
struct Framing {
  bool http_1_0 = false;
  bool keep_alive = true;
  bool expects_continue = false;
  bool chunked = false;
  std::uint64_t content_length = 0;
};

/// The reason for refusing a head; the message is a whole sentence.
struct Refusal {
  unsigned status = 400;
  std::string_view message;
};

/// Reads a complete head with its blank line into the method, target and headers of `request`,
/// whose views then point into `head`, and into `framing`. Refuses everything that two parsers
/// could read differently: bytes outside the grammar, folded lines, a Content-Length that is not
/// one number, any Transfer-Encoding but `chunked` alone, a missing or repeated Host.
std::optional<Refusal> parse_head(std::string_view head, Request& request, Framing& framing);

}  // namespace coffer::http
