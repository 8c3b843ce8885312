#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "async/task.h"
#include "base/error.h"
#include "http/message.h"

namespace coffer::http {

struct DelimiterSearch {
  /// The searched bytes before this position are content. If `found`, the delimiter begins here.
  /// If not, the bytes from here on, if any, may be the beginning of a delimiter.
  std::size_t at = 0;
  bool found = false;
};

/// Searches `text` for `delimiter` (CR LF, `--` and the boundary). It is a delimiter only if `--`,
/// white space or a line break follows, as RFC 2046 requires. A longer line that begins with the
/// same bytes is content.
DelimiterSearch find_delimiter(std::string_view text, std::string_view delimiter);

struct PartHead {
  std::string name;  ///< The form field's name.
  std::optional<std::string>
      file_name;  ///< As sent, perhaps with a path; nullopt if the part is not a file.
};

/// Parses the header lines of a part of a multipart/form-data body (RFC 7578, section 4). Each line
/// must end in CRLF. In the names of fields and files, browsers encode a quote as `%22`, and other
/// clients as a backslash and a quote; both are decoded. `filename*` is read only if `filename` is
/// missing. Errors:
/// - `invalid` if a line is malformed;
/// - `invalid` unless there is one Content-Disposition, with the type form-data and a name.
Result<PartHead> parse_part_head(std::string_view lines);

/// Reads a multipart/form-data body part by part while it arrives. Needs only constant memory.
class MultipartReader {
 public:
  /// Returns the boundary in the value of a Content-Type header. Errors:
  /// - `invalid` if the type is not multipart/form-data;
  /// - `invalid` unless the boundary has 1 to 70 characters, all of which RFC 2046 allows.
  static Result<std::string> boundary_of(std::string_view content_type);

  MultipartReader(Body& body, std::string boundary);
  ~MultipartReader();

  /// Skips the rest of the current part and returns the head of the next part; nullopt after the
  /// last part. Drops the text after the closing boundary. Errors, besides those of `Body::read`
  /// and `parse_part_head`:
  /// - `invalid` if the body is malformed or ends before the closing boundary;
  /// - `invalid` if a part has more than 16 KiB of headers.
  Task<Result<std::optional<PartHead>>> next_part();
  /// Returns the next bytes of the current part, valid until the next call; empty at the part's
  /// end.
  Task<Result<std::span<const std::byte>>> read();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace coffer::http
