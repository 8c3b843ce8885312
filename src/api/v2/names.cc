#include "api/v2/names.h"

#include "base/text.h"

namespace coffer::api {
namespace {

constexpr std::size_t kLongest = 100;

boost::json::object text_of(std::size_t least, std::size_t most) {
  boost::json::object schema = ParameterSchema<std::string>::make();
  schema["minLength"] = least;
  schema["maxLength"] = most;
  return schema;
}

}  // namespace

namespace v2 {

Result<void> parse_value(std::string_view text, UserName& out) {
  out.value = text;
  return {};
}

Result<void> parse_value(std::string_view text, TypedName& out) {
  if (count_characters(text) > kLongest) {
    return fail(ErrorCode::invalid, "must have at most 100 characters");
  }
  out.value = text;
  return {};
}

Result<void> parse_value(std::string_view text, DisplayName& out) {
  out.value = text;
  return {};
}

}  // namespace v2

boost::json::object ParameterSchema<v2::UserName>::make() {
  return {{"type", "string"}, {"pattern", "^[a-z0-9][a-z0-9._-]{0,63}$"}};
}

boost::json::object ParameterSchema<v2::TypedName>::make() {
  return text_of(0, kLongest);
}

boost::json::object ParameterSchema<v2::DisplayName>::make() {
  return text_of(1, kLongest);
}

}  // namespace coffer::api
