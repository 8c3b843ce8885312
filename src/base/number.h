#pragma once

#include <charconv>
#include <concepts>
#include <optional>
#include <string_view>
#include <system_error>

namespace coffer {

/// The whole text as a decimal number; nothing for anything else, or for one that does not fit. Of
/// an unsigned type there are digits alone: no sign, no blank.
template <std::integral T>
std::optional<T> parse_number(std::string_view text) {
  T value{};
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end) return std::nullopt;
  return value;
}

}  // namespace coffer
