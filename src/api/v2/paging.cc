#include "api/v2/paging.h"

#include <charconv>

namespace coffer::api {

namespace v2 {
namespace {

constexpr std::uint64_t kMostEntries = 200;
constexpr std::size_t kLongestCursor = 1000;

}  // namespace

Result<void> parse_value(std::string_view text, ListLimit& out) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out.value);
  const bool is_number = error == std::errc{} && end == text.data() + text.size();
  if (is_number && out.value >= 1 && out.value <= kMostEntries) return {};
  return fail(ErrorCode::invalid, "must be a whole number from 1 to 200.");
}

Result<void> parse_value(std::string_view text, ListCursor& out) {
  if (text.size() > kLongestCursor) return fail(ErrorCode::invalid, "is none of an answer.");
  out.value = text;
  return {};
}

}  // namespace v2

boost::json::object ParameterSchema<v2::ListLimit>::make() {
  return {{"type", "integer"}, {"minimum", 1}, {"maximum", v2::kMostEntries}};
}

boost::json::object ParameterSchema<v2::ListCursor>::make() {
  boost::json::object schema = ParameterSchema<std::string>::make();
  schema["maxLength"] = v2::kLongestCursor;
  schema["x-maxBytes"] = v2::kLongestCursor;
  return schema;
}

}  // namespace coffer::api
