#include "api/v2/paging.h"

#include <fmt/format.h>

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

std::string cursor_of(Timestamp at, std::string_view id) {
  return fmt::format("{}-{}", at.time_since_epoch().count(), id);
}

Result<std::pair<Timestamp, std::string>> position_of(const ListCursor& cursor) {
  const std::string& text = cursor.value;
  const char* const end = text.data() + text.size();
  Timestamp::rep count = 0;
  const auto [rest, error] = std::from_chars(text.data(), end, count);
  if (error != std::errc{} || rest == end || *rest != '-') {
    return fail(ErrorCode::invalid, "The cursor must be the `next` of an earlier answer.");
  }
  return std::pair(Timestamp(Timestamp::duration(count)), std::string(rest + 1, end));
}

}  // namespace coffer::api::v2
