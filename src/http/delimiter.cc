#include "http/delimiter.h"

#include <algorithm>

namespace coffer::http {

std::size_t find_delimiter(std::string_view text, std::string_view delimiter) {
  // find() of one character is memchr, which looks at many bytes at a time.
  for (auto at = text.find('\r'); at != std::string_view::npos; at = text.find('\r', at + 1)) {
    if (text.size() - at < delimiter.size()) break;
    if (text[at + 1] == '\n' && text.substr(at, delimiter.size()) == delimiter) return at;
  }
  return std::string_view::npos;
}

std::size_t find_begun_delimiter(std::string_view text, std::string_view delimiter) {
  const std::size_t window = std::min(text.size(), delimiter.size() - 1);
  const auto at = text.find('\r', text.size() - window);
  if (at == std::string_view::npos) return text.size();
  // Of several carriage returns only the last that still fits can have begun one.
  for (auto start = at; start != std::string_view::npos; start = text.find('\r', start + 1)) {
    if (delimiter.starts_with(text.substr(start))) return start;
  }
  return text.size();
}

}  // namespace coffer::http
