#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"

namespace coffer::http {

/// Decodes percent-encoding once. `invalid` for a broken escape, for text that is then not UTF-8 or
/// holds a control character. `plus_is_space` as in HTML forms.
Result<std::string> percent_decode(std::string_view text, bool plus_is_space);

/// Encodes every byte except ASCII letters, digits and `kept_marks`.
std::string percent_encode(std::string_view text, std::string_view kept_marks);
/// Encodes a value of a query (RFC 3986, section 3.4); slashes stay.
std::string query_encode(std::string_view value);

/// The parameters behind the `?`, decoded once; `+` is a space.
class Query {
 public:
  /// `invalid`, naming the parameter, for a malformed value.
  static Result<Query> parse(std::string_view text);
  /// The value of `name`; nullopt if it is missing; `invalid` if it is given twice.
  Result<std::optional<std::string_view>> get(std::string_view name) const;
  /// All values of `name`, in order.
  std::vector<std::string_view> all(std::string_view name) const;
  /// The first parameter with another name than these; nullopt if there is none.
  std::optional<std::string_view> other_than(std::span<const std::string_view> names) const;

 private:
  std::vector<std::pair<std::string, std::string>> parameters_;
};

}  // namespace coffer::http
