#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace coffer::http {

/// A `tchar` of RFC 9110, section 5.6.2.
bool is_token_char(char c);
/// One or more `tchar`.
bool is_token(std::string_view text);
/// `text` without spaces and tabs at either end.
std::string_view trim(std::string_view text);
/// Compares ASCII letters without regard to case.
bool equal_ignoring_case(std::string_view a, std::string_view b);
/// The value of one or more digits and nothing else; nothing for other text or above 2^64 - 1.
std::optional<std::uint64_t> parse_decimal(std::string_view text);
/// The value of a hexadecimal digit; -1 for another character.
int hex_value(char c);
/// Cuts the part before `separator` off the front of `rest`, which loses the separator too; all of
/// it where there is no separator.
std::string_view cut_front(std::string_view& rest, char separator);

}  // namespace coffer::http
