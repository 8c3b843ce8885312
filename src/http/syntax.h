#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"

namespace coffer::http {

/// A `tchar` of RFC 9110, section 5.6.2.
bool is_token_char(char c);
/// One or more `tchar`.
bool is_token(std::string_view text);
/// `text` without spaces and tabs at either end.
std::string_view trim(std::string_view text);
/// The value of one or more digits; nullopt for other text or above 2^64 - 1.
std::optional<std::uint64_t> parse_decimal(std::string_view text);
/// The value of a hexadecimal digit; -1 for another character.
int hex_value(char c);
/// Cuts the part before `separator` off the front of `rest`, and the separator too; all of `rest`
/// if there is no separator.
std::string_view cut_front(std::string_view& rest, char separator);

struct Parameter {
  std::string_view name;
  std::string value;  ///< Without quotes; a backslash counts only before a quote or a backslash.
};

/// The parameters of a header's value such as `form-data; name="a"; filename="b.txt"`.
struct Parameters {
  std::string_view subject;  ///< The text before the first semicolon.
  std::vector<Parameter> list;

  /// The value of a parameter, whose name may have any case; nullopt if it is missing.
  std::optional<std::string_view> get(std::string_view name) const;
};

/// Nullopt if the text is malformed or has a parameter twice.
std::optional<Parameters> parse_parameters(std::string_view text);

}  // namespace coffer::http
