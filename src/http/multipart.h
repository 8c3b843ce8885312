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
  /// All bytes of the text before this position are content. If `found`, the delimiter begins here.
  /// If not, the bytes from here on, if any, may be the beginning of a delimiter.
  std::size_t at = 0;
  bool found = false;
};

/// Searches `text` for `delimiter` (CR LF, `--` and the boundary). The delimiter counts only if
/// `--`, white space or a line break follows, as RFC 2046 requires. Otherwise the bytes are
/// content, such as the beginning of a longer boundary. Takes linear time.
DelimiterSearch find_delimiter(std::string_view text, std::string_view delimiter);

struct PartHead {
  std::string name;  ///< The form field's name.
  std::optional<std::string>
      file_name;  ///< As sent, perhaps with folders; nullopt for plain fields.
};

/// Parses the header lines of a part of a multipart/form-data body (RFC 7578, section 4). Each line
/// must end in CRLF. A quote in the name of a field or file is `%22` if a browser sends it, and a
/// backslash with a quote if another client does; both are decoded. `filename*` is read only if
/// there is no `filename`. Errors:
/// - `invalid` if a line is malformed;
/// - `invalid` if there is not exactly one Content-Disposition, of the type form-data with a name.
Result<PartHead> parse_part_head(std::string_view lines);

/// Reads a multipart/form-data body part by part while it arrives. Needs only constant memory.
class MultipartReader {
 public:
  /// Returns the boundary in the value of a Content-Type header. Errors:
  /// - `invalid` if the type is not multipart/form-data;
  /// - `invalid` if the boundary is missing, or is not 1 to 70 characters that RFC 2046 allows.
  static Result<std::string> boundary_of(std::string_view content_type);

  MultipartReader(Body& body, std::string boundary);
  ~MultipartReader();

  /// Skips the rest of the current part and returns the head of the next part; nullopt after the
  /// last part. Drops the text after the closing boundary. Errors, besides those of
  /// `parse_part_head`:
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
