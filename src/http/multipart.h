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
  /// The start of the delimiter, or of an end of the text that may be the start of one; the text's
  /// size if there is neither. All bytes before it are content.
  std::size_t at = 0;
  bool found = false;
};

/// Searches for `delimiter` (CR LF, `--` and the boundary) followed by `--`, white space or a line
/// break, as RFC 2046 requires: a line that only begins like it, such as one with a longer
/// boundary, is content. Takes linear time for any text, since a delimiter has no carriage return
/// but its first character.
DelimiterSearch find_delimiter(std::string_view text, std::string_view delimiter);

/// The head of a part (RFC 7578).
struct PartHead {
  std::string name;                      ///< The form field's.
  std::optional<std::string> file_name;  ///< As sent, with folders; nullopt for plain fields.
};

/// Reads a part's header lines, each with its CRLF, of a multipart/form-data body (RFC 7578,
/// section 4). `invalid` if a line is malformed or there is no form-data disposition with a name.
///
/// Browsers write `%22` for a quote in a file's name, other clients a backslash before it: both
/// become the quote. `filename*` is read only if there is no `filename`.
Result<PartHead> parse_part_head(std::string_view lines);

/// Reads a multipart/form-data body part by part as it arrives, in constant memory, in pieces of
/// any size.
class MultipartReader {
 public:
  /// The boundary of a Content-Type header; `invalid` if that is not multipart/form-data, or the
  /// boundary is missing or not 1 to 70 characters of RFC 2046.
  static Result<std::string> boundary_of(std::string_view content_type);

  MultipartReader(Body& body, std::string boundary);
  ~MultipartReader();

  /// The next part's head, after skipping the rest of the part before; nullopt after the closing
  /// boundary, whose epilogue is dropped. `invalid` for a malformed body, a part without a
  /// form-data disposition, part headers over 16 KiB, or a body that ends early.
  Task<Result<std::optional<PartHead>>> next_part();
  /// The next bytes of the current part, valid until the next call; empty at the part's end only.
  Task<Result<std::span<const std::byte>>> read();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace coffer::http
