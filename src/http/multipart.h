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

/// The result of a search for the delimiter of a multipart body.
struct DelimiterSearch {
  /// The position of the delimiter; else of bytes at the end of the text that may be the beginning
  /// of a delimiter; else the size of the text. All bytes before this position are content.
  std::size_t at = 0;
  bool found = false;
};

/// Searches for `delimiter` (CR LF, `--` and the boundary). As RFC 2046 requires, `--`, white space
/// or a line break must follow; otherwise, such as at a longer boundary, the bytes are content.
/// Takes linear time, because only the first character of a delimiter is a carriage return.
DelimiterSearch find_delimiter(std::string_view text, std::string_view delimiter);

/// The head of a part (RFC 7578).
struct PartHead {
  std::string name;  ///< The form field's name.
  std::optional<std::string>
      file_name;  ///< As sent, perhaps with folders; nullopt for plain fields.
};

/// Parses the header lines of a part of a multipart/form-data body (RFC 7578, section 4); each line
/// ends in CRLF. `invalid` if a line is malformed or there is no form-data disposition with a name.
/// A quote in a file's name is decoded from `%22`, which browsers send, and from a backslash and a
/// quote, which other clients send. `filename*` is read only if there is no `filename`.
Result<PartHead> parse_part_head(std::string_view lines);

/// Reads a multipart/form-data body part by part while it arrives, in constant memory.
class MultipartReader {
 public:
  /// Returns the boundary of a Content-Type header. `invalid` if the type is not
  /// multipart/form-data, or if the boundary is missing or is not 1 to 70 characters of RFC 2046.
  static Result<std::string> boundary_of(std::string_view content_type);

  MultipartReader(Body& body, std::string boundary);
  ~MultipartReader();

  /// Skips the rest of the current part and returns the head of the next one; nullopt after the
  /// closing boundary. Drops the epilogue. `invalid` if the body is malformed or ends early, or if
  /// a part has more than 16 KiB of headers or no form-data disposition.
  Task<Result<std::optional<PartHead>>> next_part();
  /// Returns the next bytes of the current part, valid until the next call; empty only at its end.
  Task<Result<std::span<const std::byte>>> read();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace coffer::http
