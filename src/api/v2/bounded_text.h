#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "api/parameter_schema.h"
#include "base/text.h"

namespace coffer::api::v2 {

/// A text of that many characters, without control characters.
template <std::size_t kLeast, std::size_t kMost>
struct BoundedText {
  std::string value;
};

template <std::size_t kLeast, std::size_t kMost>
Result<void> parse_value(std::string_view text, BoundedText<kLeast, kMost>& out) {
  const std::size_t count = count_characters(text);
  if (count < kLeast || count > kMost) {
    return fail(ErrorCode::invalid, fmt::format("must have {} to {} characters", kLeast, kMost));
  }
  out.value = text;
  return {};
}

using ItemId = BoundedText<1, 64>;
using Description = BoundedText<0, 1000>;

}  // namespace coffer::api::v2

namespace coffer::api {

template <std::size_t kLeast, std::size_t kMost>
struct ParameterSchema<v2::BoundedText<kLeast, kMost>> {
  static boost::json::object make() {
    boost::json::object schema = ParameterSchema<std::string>::make();
    schema["minLength"] = kLeast;
    schema["maxLength"] = kMost;
    return schema;
  }
};

}  // namespace coffer::api
