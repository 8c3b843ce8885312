#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"

namespace coffer::http {

/// Decodes percent-encoding once. `invalid` for a broken escape, for text that is then not UTF-8 or
/// holds a control character. `plus_is_space` as in HTML forms.
Result<std::string> percent_decode(std::string_view text, bool plus_is_space);

/// The parameters behind the `?`, decoded once; `+` is a space.
class Query {
 public:
  /// `invalid` naming the parameter whose value is broken.
  static Result<Query> parse(std::string_view text);
  /// The value of `name`; nothing where it is missing; `invalid` where it is given twice.
  Result<std::optional<std::string_view>> get(std::string_view name) const;

 private:
  std::vector<std::pair<std::string, std::string>> parameters_;
};

}  // namespace coffer::http
