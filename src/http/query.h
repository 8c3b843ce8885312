#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"

namespace coffer::http {

/// Decodes percent-encoding once. With `plus_is_space`, `+` becomes a space, as in HTML forms.
/// `invalid` for a broken escape, and for a result that is not UTF-8 or has a control character.
Result<std::string> percent_decode(std::string_view text, bool plus_is_space);

/// Percent-encodes every byte except ASCII letters, digits and the characters of `kept_marks`.
std::string percent_encode(std::string_view text, std::string_view kept_marks);
/// Percent-encodes a parameter's value for a query (RFC 3986, section 3.4). Keeps slashes.
std::string query_encode(std::string_view value);

/// The decoded parameters of a query. A `+` is decoded as a space.
class Query {
 public:
  /// Parses the text after the `?`. `invalid` if a name or value is malformed.
  static Result<Query> parse(std::string_view text);
  /// Returns the value of `name`; nullopt if there is none, `invalid` if `name` is given twice.
  Result<std::optional<std::string_view>> get(std::string_view name) const;
  /// Returns all values of `name`, in the order of the query.
  std::vector<std::string_view> all(std::string_view name) const;
  /// Returns the name of the first parameter that is not in `names`; nullopt if there is none.
  std::optional<std::string_view> other_than(std::span<const std::string_view> names) const;

 private:
  std::vector<std::pair<std::string, std::string>> parameters_;
};

}  // namespace coffer::http
