#pragma once

#include <string>
#include <string_view>

#include "api/parameter_schema.h"
#include "base/error.h"

namespace coffer::api::v2 {

/// A folder of the server by its absolute path, of at most 4095 bytes: without `..`, and the root
/// is one too.
struct ServerFolder {
  std::string value;
};

/// Drops empty components and those that are `.`.
Result<void> parse_value(std::string_view text, ServerFolder& out);

}  // namespace coffer::api::v2

namespace coffer::api {

template <>
struct ParameterSchema<v2::ServerFolder> {
  static boost::json::object make();
};

}  // namespace coffer::api
