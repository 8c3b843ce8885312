#include "http/message.h"

#include <algorithm>

#include "base/text.h"

namespace coffer::http {

std::optional<std::string_view> Request::header(std::string_view name) const {
  std::optional<std::string_view> found;
  for (const Header& header : headers) {
    if (!equal_ignoring_case(header.name, name)) continue;
    if (found) return std::nullopt;
    found = header.value;
  }
  return found;
}

bool Request::has(std::string_view name) const {
  return std::ranges::any_of(
      headers, [&](const Header& header) { return equal_ignoring_case(header.name, name); });
}

std::optional<std::uint64_t> Response::content_length() const {
  if (is_stream()) return std::nullopt;
  if (const auto* text = std::get_if<std::string>(&body)) return text->size();
  const auto& content = std::get<ContentBody>(body);
  std::uint64_t length = content.after.size();
  for (const Stretch& stretch : content.stretches) length += stretch.before.size() + stretch.length;
  return length;
}

}  // namespace coffer::http
