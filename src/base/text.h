#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace coffer {

/// True for well-formed UTF-8 (RFC 3629: no overlong forms, no surrogates, at most U+10FFFF).
bool is_utf8(std::string_view text);

/// True if a control character is in it: U+0000 to U+001F, U+007F, or U+0080 to U+009F.
/// The text must be UTF-8.
bool has_control_character(std::string_view text);

/// How many characters (code points) a UTF-8 text has.
std::size_t count_characters(std::string_view text);

/// The longest beginning of a UTF-8 text that has at most so many bytes and ends with a whole
/// character.
std::string_view cut_utf8(std::string_view text, std::size_t limit_bytes);

/// Lower-case hexadecimal digits, two for each byte.
std::string to_hex(std::span<const std::byte> bytes);

}  // namespace coffer
