#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace coffer::http {

struct Parameter {
  std::string_view name;
  std::string value;  ///< Without quotes; a backslash counts only before a quote or a backslash.
};

/// The parameters of a header's value such as `form-data; name="a"; filename="b.txt"`.
struct Parameters {
  std::string_view subject;  ///< What stands before the first semicolon.
  std::vector<Parameter> list;

  /// The value by its name, in any case; nothing where it is missing.
  std::optional<std::string_view> get(std::string_view name) const;
};

/// Nothing where the text is malformed or a parameter stands twice.
std::optional<Parameters> parse_parameters(std::string_view text);

}  // namespace coffer::http
