#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace coffer::http {

/// What a search for the delimiter of a multipart body came to.
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

}  // namespace coffer::http
