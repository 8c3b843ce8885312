#pragma once

#include <string>
#include <string_view>

#include "api/parameter_schema.h"
#include "base/error.h"

/// Texts that have rules of their own. The services check them; these tell the description.
namespace coffer::api::v2 {

/// The name of an account that is to be: 1 to 64 of `a-z0-9._-`.
struct UserName {
  std::string value;
};

/// What is typed as the name of an account.
struct TypedName {
  std::string value;
};

/// A name for people: 1 to 100 characters.
struct DisplayName {
  std::string value;
};

Result<void> parse_value(std::string_view text, UserName& out);
Result<void> parse_value(std::string_view text, TypedName& out);
Result<void> parse_value(std::string_view text, DisplayName& out);

}  // namespace coffer::api::v2

namespace coffer::api {

template <>
struct ParameterSchema<v2::UserName> {
  static boost::json::object make();
};
template <>
struct ParameterSchema<v2::TypedName> {
  static boost::json::object make();
};
template <>
struct ParameterSchema<v2::DisplayName> {
  static boost::json::object make();
};

}  // namespace coffer::api
