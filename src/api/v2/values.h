#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

#include "api/v2/body.h"
#include "base/text.h"

/// Types of query parameters and of members of JSON bodies that several resources have in common.
/// `parse_value` or `from_json` reads a value, and `schema` returns the JSON Schema of its type.
namespace coffer::api::v2 {

/// The name of a new account: 1 to 64 characters of `a-z0-9._-`, the first a letter or digit. The
/// service checks the name.
struct UserName {
  std::string value;
  static boost::json::object schema();
};

/// The name of an existing account as a caller types it: any text of at most 100 characters.
struct TypedName {
  std::string value;
  static boost::json::object schema();
};

/// A name shown to people. The service checks that it has 1 to 100 characters.
struct DisplayName {
  std::string value;
  static boost::json::object schema();
};

/// A list of at most 1000 names of accounts.
struct AccountNames {
  std::vector<std::string> value;
  static boost::json::object schema();
};

/// The absolute path of a folder on the machine that Coffer runs on: at most 4095 bytes. The root
/// is valid. Empty components and `.` are dropped. `forbidden` if a component is `..`.
struct ServerFolder {
  std::string value;
  static boost::json::object schema();
};

/// A time in UTC as a query parameter, with or without a `Z` at its end.
struct Moment {
  Timestamp value{};
  static boost::json::object schema();
};

Result<void> parse_value(std::string_view text, UserName& out);
Result<void> parse_value(std::string_view text, TypedName& out);
Result<void> parse_value(std::string_view text, DisplayName& out);
Result<void> parse_value(std::string_view text, ServerFolder& out);
Result<void> parse_value(std::string_view text, Moment& out);
Result<void> from_json(const boost::json::value& json, AccountNames& out);

/// A text of `kLeast` to `kMost` characters. In JSON it must have no control characters.
template <std::size_t kLeast, std::size_t kMost>
struct BoundedText {
  std::string value;

  static boost::json::object schema() {
    boost::json::object schema = ParameterSchema<std::string>::make();
    schema["minLength"] = kLeast;
    schema["maxLength"] = kMost;
    return schema;
  }
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
