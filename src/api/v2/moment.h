#pragma once

#include "api/parameter_schema.h"
#include "base/clock.h"

namespace coffer::api::v2 {

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
