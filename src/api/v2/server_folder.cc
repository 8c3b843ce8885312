#include "api/v2/server_folder.h"

#include <ranges>

#include "base/text.h"

namespace coffer::api {
namespace {

constexpr std::size_t kLongestFolder = 4095;

}  // namespace

namespace v2 {

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

}  // namespace v2

boost::json::object ParameterSchema<v2::ServerFolder>::make() {
  boost::json::object schema = ParameterSchema<std::string>::make();
  schema["allOf"] = boost::json::array{boost::json::object{{"pattern", "^/"}}};
  schema["maxLength"] = kLongestFolder;
  schema["x-maxBytes"] = kLongestFolder;
  return schema;
}

}  // namespace coffer::api
