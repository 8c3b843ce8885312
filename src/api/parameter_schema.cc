#include "api/parameter_schema.h"

#include <fmt/format.h>

#include <string_view>

namespace coffer::api {
namespace {

namespace json = boost::json;

constexpr std::size_t kNameLimitBytes = 255;
constexpr std::size_t kLabelLimit = 100;

/// One character that is neither a control character nor one of these, which are written as
/// brackets of a pattern want them.
std::string any_but(std::string_view characters) {
  return fmt::format(R"([^{}\x00-\x1f\x7f-\x9f])", characters);
}

/// What a name may be: anything but "", "." and "..", without slashes and backslashes.
std::string name_pattern() {
  return fmt::format(R"(\.?{0}{1}*|\.\.{1}+)", any_but(R"(./\\)"), any_but(R"(/\\)"));
}

/// A backslash may stand in the name of what exists, but not beside "..".
constexpr std::string_view kSeparator = R"([/\\])";

/// Names with one of these separators between them; empty and "." ones are dropped.
std::string path_pattern(std::string_view separator) {
  return fmt::format(R"((\.?|{0})({1}(\.?|{0}))*)", name_pattern(), separator);
}

/// A pattern for the whole of a text.
std::string whole(std::string_view pattern) {
  return fmt::format("^{}$", pattern);
}

json::object text(std::string_view pattern) {
  return {{"type", "string"}, {"pattern", pattern}};
}

}  // namespace

json::object ParameterSchema<std::string>::make() {
  return text(whole(any_but("") + "*"));
}

json::object ParameterSchema<Path>::make() {
  return text(whole(path_pattern(kSeparator)));
}

json::object ParameterSchema<ItemPath>::make() {
  json::object schema = ParameterSchema<Path>::make();
  schema["allOf"] = json::array{json::object{{"pattern", R"([^./]|\.\.\.)"}}};
  return schema;
}

json::object ParameterSchema<SourcePath>::make() {
  const std::string folder = path_pattern(kSeparator);
  json::object schema = text(whole(fmt::format(R"(({}/)?({})(/\.?)*)", folder, name_pattern())));
  schema["x-maxNameBytes"] = kNameLimitBytes;
  return schema;
}

json::object ParameterSchema<FolderPathToMake>::make() {
  json::object schema = text(whole(path_pattern("/")));
  schema["x-maxComponentBytes"] = kNameLimitBytes;
  return schema;
}

json::object ParameterSchema<NewName>::make() {
  json::object schema = text(whole(fmt::format("({})", name_pattern())));
  schema["minLength"] = 1;
  schema["maxLength"] = kNameLimitBytes;
  schema["x-maxBytes"] = kNameLimitBytes;
  return schema;
}

json::object ParameterSchema<KeyLabel>::make() {
  json::object schema = ParameterSchema<std::string>::make();
  schema["maxLength"] = kLabelLimit;
  return schema;
}

}  // namespace coffer::api
