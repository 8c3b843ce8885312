#include "api/parameters.h"

#include <fmt/format.h>

#include <utility>

#include "base/text.h"
#include "http/syntax.h"

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

json::object ItemPath::schema() {
  json::object schema = ParameterSchema<Path>::make();
  schema["allOf"] = json::array{json::object{{"pattern", R"([^./]|\.\.\.)"}}};
  return schema;
}

json::object SourcePath::schema() {
  const std::string folder = path_pattern(kSeparator);
  json::object schema = text(whole(fmt::format(R"(({}/)?({})(/\.?)*)", folder, name_pattern())));
  schema["x-maxNameBytes"] = kNameLimitBytes;
  return schema;
}

json::object FolderPathToMake::schema() {
  json::object schema = text(whole(path_pattern("/")));
  schema["x-maxComponentBytes"] = kNameLimitBytes;
  return schema;
}

json::object NewName::schema() {
  json::object schema = text(whole(fmt::format("({})", name_pattern())));
  schema["minLength"] = 1;
  schema["maxLength"] = kNameLimitBytes;
  schema["x-maxBytes"] = kNameLimitBytes;
  return schema;
}

json::object KeyLabel::schema() {
  json::object schema = ParameterSchema<std::string>::make();
  schema["maxLength"] = kLabelLimit;
  return schema;
}

Result<void> parse_count(std::string_view text, std::size_t most, std::size_t& out) {
  const auto number = http::parse_decimal(text);
  if (number && *number >= 1 && *number <= most) {
    out = *number;
    return {};
  }
  return fail(ErrorCode::invalid, fmt::format("must be a whole number from 1 to {}", most));
}

void ParameterErrors::add(std::string_view parameter, Error error) {
  const bool outranks =
      !first_ || (first_->code == ErrorCode::forbidden && error.code == ErrorCode::invalid);
  if (!outranks) return;
  error.message = error.message == "is missing"
                      ? fmt::format("The parameter \"{}\" is missing.", parameter)
                      : fmt::format("The parameter \"{}\": {}", parameter, error.message);
  first_ = std::move(error);
}

Result<void> refuse_others(const http::Query& query, std::span<const std::string_view> names) {
  const auto other = query.other_than(names);
  if (!other) return {};
  return fail(ErrorCode::invalid,
              fmt::format("There is no parameter \"{}\" here.", cut_utf8(*other, 100)));
}

Result<void> parse_value(std::string_view text, std::string& out) {
  out = text;
  return {};
}

Result<void> parse_value(std::string_view text, Path& out) {
  TRY(auto path, Path::parse(text));
  out = std::move(path);
  return {};
}

Result<void> parse_value(std::string_view text, ItemPath& out) {
  return parse_value(text, out.value);
}

Result<void> parse_value(std::string_view text, SourcePath& out) {
  return parse_value(text, out.value);
}

Result<void> parse_value(std::string_view text, FolderPathToMake& out) {
  return parse_value(text, out.value);
}

Result<void> parse_value(std::string_view text, KeyLabel& out) {
  return parse_value(text, out.value);
}

Result<void> parse_value(std::string_view text, NewName& out) {
  TRY(auto name, Name::parse(text));
  out.name = std::move(name);
  return {};
}

std::vector<std::string_view> captured_names(std::string_view pattern) {
  std::vector<std::string_view> names;
  for (std::size_t open = 0; (open = pattern.find('{', open)) != std::string_view::npos; ++open) {
    names.push_back(pattern.substr(open + 1, pattern.find('}', open) - open - 1));
  }
  return names;
}

}  // namespace coffer::api
