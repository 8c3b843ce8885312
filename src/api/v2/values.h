#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

#include "api/v2/body.h"
#include "base/text.h"

/// Types of parameters and of members of bodies that several resources use. `parse_value` or
/// `from_json` reads each type, and its function `schema` describes it.
namespace coffer::api::v2 {

/// The name of a new account: 1 to 64 of `a-z0-9._-`. The service checks it.
struct UserName {
  std::string value;
  static boost::json::object schema();
};

/// The name of an account as a caller gives it: any text of at most 100 characters.
struct TypedName {
  std::string value;
  static boost::json::object schema();
};

/// A name shown to people: 1 to 100 characters. The service checks it.
struct DisplayName {
  std::string value;
  static boost::json::object schema();
};

/// A list of accounts by their names: at most 1000.
struct AccountNames {
  std::vector<std::string> value;
  static boost::json::object schema();
};

/// The absolute path of a folder of the server: at most 4095 bytes, without `..`. The root is
/// valid. Empty components and `.` are dropped.
struct ServerFolder {
  std::string value;
  static boost::json::object schema();
};

/// A time in UTC in a query; a `Z` may follow.
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

/// A text of `kLeast` to `kMost` characters without control characters.
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
