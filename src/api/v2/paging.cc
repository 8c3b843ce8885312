#include "api/v2/paging.h"

#include <charconv>

namespace coffer::api::v2 {
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
  if (text.size() > kLongestCursor)
    return fail(ErrorCode::invalid, "must be the `next` of an earlier answer.");
  out.value = text;
  return {};
}

boost::json::object ListLimit::schema() {
  return {{"type", "integer"}, {"minimum", 1}, {"maximum", kMostEntries}};
}

boost::json::object ListCursor::schema() {
  boost::json::object schema = ParameterSchema<std::string>::make();
  schema["maxLength"] = kLongestCursor;
  schema["x-maxBytes"] = kLongestCursor;
  return schema;
}

}  // namespace coffer::api::v2
