#include "http/delimiter.h"

#include <algorithm>

namespace coffer::http {
namespace {

enum class Sight : std::uint8_t { none, begun, whole };

/// What the text begins with; `begun` where more of it is needed to tell.
Sight sight_of(std::string_view text, std::string_view delimiter) {
  const auto common = std::min(text.size(), delimiter.size());
  if (text.substr(0, common) != delimiter.substr(0, common)) return Sight::none;
  const auto rest = text.substr(common);
  if (rest.empty() || rest == "-") return Sight::begun;
  const bool ends_line = rest.front() == '\r' || rest.front() == ' ' || rest.front() == '\t';
  return ends_line || rest.starts_with("--") ? Sight::whole : Sight::none;
}

}  // namespace

DelimiterSearch find_delimiter(std::string_view text, std::string_view delimiter) {
  // find() of one character is memchr, which looks at many bytes at a time.
  for (auto at = text.find('\r'); at != std::string_view::npos; at = text.find('\r', at + 1)) {
    if (at + 1 < text.size() && text[at + 1] != '\n') continue;
    const Sight sight = sight_of(text.substr(at), delimiter);
    if (sight != Sight::none) return {at, sight == Sight::whole};
  }
  return {text.size(), false};
}

}  // namespace coffer::http
