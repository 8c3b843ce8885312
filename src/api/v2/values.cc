#include "api/v2/values.h"

#include <ranges>

namespace coffer::api::v2 {
namespace {

namespace json = boost::json;

constexpr std::size_t kLongestName = 100;
constexpr std::size_t kMostNames = 1000;
constexpr std::size_t kLongestFolder = 4095;

}  // namespace

json::object UserName::schema() {
  return {{"type", "string"}, {"pattern", "^[a-z0-9][a-z0-9._-]{0,63}$"}};
}

Result<void> parse_value(std::string_view text, UserName& out) {
  out.value = text;
  return {};
}

json::object TypedName::schema() {
  return BoundedText<0, kLongestName>::schema();
}

Result<void> parse_value(std::string_view text, TypedName& out) {
  if (count_characters(text) > kLongestName) {
    return fail(ErrorCode::invalid, "must have at most 100 characters");
  }
  out.value = text;
  return {};
}

json::object DisplayName::schema() {
  return BoundedText<1, kLongestName>::schema();
}

Result<void> parse_value(std::string_view text, DisplayName& out) {
  out.value = text;
  return {};
}

json::object AccountNames::schema() {
  return {{"type", "array"}, {"maxItems", kMostNames}, {"items", UserName::schema()}};
}

Result<void> from_json(const json::value& value, AccountNames& out) {
  if (!value.is_array()) return fail(ErrorCode::invalid, "must be a list of user names");
  const json::array& names = value.get_array();
  if (names.size() > kMostNames) return fail(ErrorCode::invalid, "must have at most 1000 names");
  for (const json::value& name : names) {
    const auto text = text_of(name);
    if (!text) return fail(ErrorCode::invalid, "must be a list of user names");
    out.value.emplace_back(*text);
  }
  return {};
}

json::object ServerFolder::schema() {
  json::object schema = ParameterSchema<std::string>::make();
  schema["allOf"] = json::array{json::object{{"pattern", "^/"}}};
  schema["maxLength"] = kLongestFolder;
  schema["x-maxBytes"] = kLongestFolder;
  return schema;
}

Result<void> parse_value(std::string_view text, ServerFolder& out) {
  const bool is_path = text.starts_with('/') && text.size() <= kLongestFolder && is_utf8(text) &&
                       !has_control_character(text);
  if (!is_path) {
    return fail(ErrorCode::invalid, "must be an absolute path of at most 4095 bytes");
  }
  out.value.clear();
  for (const auto part : text | std::views::split('/')) {
    const std::string_view name(part.begin(), part.end());
    if (name.empty() || name == ".") continue;
    if (name == "..") return fail(ErrorCode::forbidden, "must not hold \"..\"");
    out.value += '/';
    out.value += name;
  }
  if (out.value.empty()) out.value = "/";
  return {};
}

json::object Moment::schema() {
  return {{"type", "string"}, {"pattern", std::string(kTimePattern) + "Z?$"}};
}

Result<void> parse_value(std::string_view text, Moment& out) {
  if (text.ends_with('Z')) text.remove_suffix(1);
  const auto time = parse_timestamp(text);
  if (!time) return fail(ErrorCode::invalid, "must be a time in UTC such as 2027-01-31T00:00:00Z");
  out.value = *time;
  return {};
}

}  // namespace coffer::api::v2
