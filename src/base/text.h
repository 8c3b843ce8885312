#pragma once

#include <algorithm>
#include <charconv>
#include <concepts>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>

namespace coffer {

/// Returns true for well-formed UTF-8 (RFC 3629: no overlong forms, no surrogates, at most
/// U+10FFFF).
bool is_utf8(std::string_view text);

/// Returns true if the text, which must be UTF-8, contains a control character: U+0000 to U+001F,
/// U+007F, or U+0080 to U+009F.
bool has_control_character(std::string_view text);

/// Returns the number of characters (code points) in a UTF-8 text.
std::size_t count_characters(std::string_view text);

/// Returns the longest prefix of a UTF-8 text that has at most `limit_bytes` bytes and ends with a
/// whole character.
std::string_view cut_utf8(std::string_view text, std::size_t limit_bytes);

/// Returns two lower-case hexadecimal digits for each byte.
std::string to_hex(std::span<const std::byte> bytes);
/// Returns true if the text consists of so many lower-case hexadecimal digits.
bool is_hex(std::string_view text, std::size_t digits);

// These functions change the case of ASCII letters only, independent of the locale.
constexpr char to_lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
}
constexpr char to_upper(char c) {
  return c >= 'a' && c <= 'z' ? static_cast<char>(c - ('a' - 'A')) : c;
}

inline std::string to_lower(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), [](char c) { return to_lower(c); });
  return lower;
}
inline std::string to_upper(std::string_view text) {
  std::string upper(text);
  std::ranges::transform(upper, upper.begin(), [](char c) { return to_upper(c); });
  return upper;
}

inline bool equal_ignoring_case(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, [](char x, char y) { return to_lower(x) == to_lower(y); });
}

/// Parses the whole text as a decimal number. Returns nullopt if the text is not a number or does
/// not fit into T. Accepts neither blanks nor a plus sign; accepts a minus sign for signed types.
template <std::integral T>
std::optional<T> parse_number(std::string_view text) {
  T value{};
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end) return std::nullopt;
  return value;
}

}  // namespace coffer
