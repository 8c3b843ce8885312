#include "api/v2/search_parameters.h"

#include "http/syntax.h"

namespace coffer::api {

namespace {

constexpr std::size_t kMostBytes = 255;
constexpr std::size_t kMostItems = 10'000;
constexpr std::size_t kUsualItems = 1'000;

}  // namespace

boost::json::object ParameterSchema<v2::SearchText>::make() {
  boost::json::object schema = ParameterSchema<std::string>::make();
  schema["maxLength"] = kMostBytes;
  schema["x-maxBytes"] = kMostBytes;
  return schema;
}

boost::json::object ParameterSchema<v2::ByteCount>::make() {
  return {{"type", "integer"}, {"minimum", 0}, {"maximum", UINT64_MAX}};
}

boost::json::object ParameterSchema<v2::SearchLimit>::make() {
  return {{"type", "integer"}, {"minimum", 1}, {"maximum", kMostItems}, {"default", kUsualItems}};
}

namespace v2 {

std::string_view to_string(FoundKind kind) {
  return kind == FoundKind::file ? "file" : "folder";
}

Result<void> parse_value(std::string_view text, SearchText& out) {
  if (text.size() > kMostBytes) return fail(ErrorCode::invalid, "must have at most 255 bytes");
  out.value = text;
  return {};
}

Result<void> parse_value(std::string_view text, ByteCount& out) {
  const auto number = http::parse_decimal(text);
  if (!number) return fail(ErrorCode::invalid, "must be a whole number of bytes");
  out.value = *number;
  return {};
}

Result<void> parse_value(std::string_view text, SearchLimit& out) {
  const auto number = http::parse_decimal(text);
  if (!number || *number < 1 || *number > kMostItems) {
    return fail(ErrorCode::invalid, "must be a whole number from 1 to 10000");
  }
  out.value = *number;
  return {};
}

}  // namespace v2
}  // namespace coffer::api
