#pragma once

#include <cstddef>
#include <string_view>

namespace coffer::http {

/// Searches for the delimiter of a multipart body, `CR LF - - boundary`, whose only carriage return
/// is its first character: what begins with another one cannot overlap it, so that the search takes
/// linear time whatever the body holds.

/// Where `delimiter` begins in `text`; `npos` where it does not.
std::size_t find_delimiter(std::string_view text, std::string_view delimiter);
/// Where at the end of `text` a delimiter may have begun; its size where none can have. The text
/// must not hold a whole one.
std::size_t find_begun_delimiter(std::string_view text, std::string_view delimiter);

}  // namespace coffer::http
