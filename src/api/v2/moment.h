#pragma once

#include <string_view>

#include "api/parameter_schema.h"
#include "base/clock.h"

namespace coffer::api::v2 {

/// How a time begins, as JSON Schema has patterns. The 30th of February passes.
inline constexpr std::string_view kTimePattern =
    R"(^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:[0-5]\d)";

/// A time in UTC, as a query gives it.
struct Moment {
  Timestamp value{};
};

Result<void> parse_value(std::string_view text, Moment& out);

}  // namespace coffer::api::v2

namespace coffer::api {

template <>
struct ParameterSchema<v2::Moment> {
  static boost::json::object make();
};

}  // namespace coffer::api
