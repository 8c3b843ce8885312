#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "http/envelope.h"
#include "http/message.h"

namespace coffer::http {

/// The bytes from `offset` to `offset + length - 1`. In a RangeChoice `length` is never 0.
struct ByteRange {
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
  bool operator==(const ByteRange&) const = default;
};

struct RangeChoice {
  /// `whole`: the Range header is ignored, because it is malformed, has another unit than bytes,
  /// has more than 64 ranges, or asks for the last bytes of empty content. `some`: the client gets
  /// `ranges`. `none`: no range overlaps the content.
  enum class Kind : std::uint8_t { whole, some, none } kind = Kind::whole;
  /// Set for `some`: ranges within the content, in ascending order, that do not overlap or touch.
  std::vector<ByteRange> ranges;
};

/// Applies a Range header to content of `size` bytes (RFC 9110, section 14.1.2).
RangeChoice choose_ranges(std::string_view header, std::uint64_t size);

struct ContentInfo {
  std::uint64_t size_bytes = 0;
  std::string etag;  ///< A strong ETag, with its quotes.
  Timestamp modified_at{};
  std::string media_type;
  std::string disposition;               ///< The value of Content-Disposition.
  ErrorFormat refuse = &error_response;  ///< Makes the responses for 412 and 416.
};

/// Returns the response to a GET or HEAD of `content` (RFC 9110, sections 13 and 14): 200, 206
/// with one range or several, 304, 412 or 416. Evaluates If-Match, If-None-Match,
/// If-Modified-Since, If-Unmodified-Since, and for GET also Range and If-Range. The response always
/// has ETag, Last-Modified, Accept-Ranges and X-Content-Type-Options: nosniff. Several ranges are
/// sent in ascending order. Ranges that overlap are joined.
Response serve_content(const Request& request, const ContentInfo& info,
                       std::shared_ptr<Content> content);

/// Returns the Content-Disposition `attachment` with `filename` and `filename*` (RFC 6266). In
/// `filename`, `_` replaces characters outside ASCII, control characters and `"`, `\`, `%`.
std::string attachment_disposition(std::string_view file_name);
/// Returns the Content-Disposition `inline` with `filename` and `filename*`.
std::string inline_disposition(std::string_view file_name);

/// Returns the media type for the extension of a file's name; `application/octet-stream` for an
/// unknown extension. Text types have no charset, since users store text in any charset. Scripts
/// and styles become text/plain, so that no page of this origin runs or applies a user's file.
std::string_view media_type_of(std::string_view file_name);

}  // namespace coffer::http
