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
  /// Where the delimiter begins, or where it may begin as far as the text goes; the text's size
  /// where neither is so. All before it is content.
  std::size_t at = 0;
  bool found = false;
};

/// Searches for `delimiter`, `CR LF - - boundary`, with the `--`, the white space or the line break
/// behind it that RFC 2046 has there: a line that merely begins like it, as with a longer boundary,
/// is content. Carriage returns stand nowhere in a delimiter but in front, so that the search takes
/// linear time whatever the text holds.
DelimiterSearch find_delimiter(std::string_view text, std::string_view delimiter);

/// The head of a part (RFC 7578).
struct PartHead {
  std::string name;                      ///< Of the form field.
  std::optional<std::string> file_name;  ///< As sent, folders and all; absent for plain fields.
};

/// Reads a part's header lines, each with its CRLF, of a multipart/form-data body (RFC 7578,
/// section 4). `invalid` for malformed lines and without a form-data disposition with a name.
///
/// Browsers write `%22` for a quote in a file's name, and others a backslash before it: both become
/// the quote. `filename*` counts only where there is no `filename`.
Result<PartHead> parse_part_head(std::string_view lines);

/// Reads a multipart/form-data body part by part as it streams in, in constant memory, wherever
/// the network has cut it.
class MultipartReader {
 public:
  /// The boundary of a Content-Type header; `invalid` when it is not multipart/form-data or its
  /// boundary is missing or not 1 to 70 characters of RFC 2046.
  static Result<std::string> boundary_of(std::string_view content_type);

  MultipartReader(Body& body, std::string boundary);
  ~MultipartReader();

  /// The next part's head, skipping what is left of the part before; nothing after the closing
  /// boundary (the epilogue is read and dropped). `invalid` for a malformed body, a part without a
  /// form-data disposition, part headers over 16 KiB, or a body that ends early.
  Task<Result<std::optional<PartHead>>> next_part();
  /// The next bytes of the current part, valid until the next call; empty at its end only.
  Task<Result<std::span<const std::byte>>> read();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace coffer::http
