#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"

namespace coffer::http {

/// Returns true for a character of a token (`tchar` of RFC 9110, section 5.6.2).
bool is_token_char(char c);
/// Returns true if the text is a token: one or more `tchar`.
bool is_token(std::string_view text);
/// Returns `text` without spaces and tabs at either end.
std::string_view trim(std::string_view text);
/// Parses one or more decimal digits; nullopt for any other text and for a value of 2^64 or more.
std::optional<std::uint64_t> parse_decimal(std::string_view text);
/// Returns the value of a hexadecimal digit; -1 for any other character.
int hex_value(char c);
/// Returns the part of `rest` before the first `separator`. Removes this part and the separator
/// from `rest`. Without a separator, returns all of `rest` and makes it empty.
std::string_view cut_front(std::string_view& rest, char separator);

struct Parameter {
  std::string_view name;
  std::string value;  ///< Without quotes. `\"` and `\\` are decoded; other backslashes stay.
};

/// A header's value with parameters, such as `form-data; name="a"; filename="b.txt"`.
struct Parameters {
  std::string_view subject;  ///< The text before the first semicolon.
  std::vector<Parameter> list;

  /// Returns the value of the parameter `name`; nullopt if there is none. Ignores case in names.
  std::optional<std::string_view> get(std::string_view name) const;
};

/// Parses a header's value; nullopt if the text is malformed or has a parameter twice.
std::optional<Parameters> parse_parameters(std::string_view text);

}  // namespace coffer::http
