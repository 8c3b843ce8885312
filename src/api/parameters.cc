#include "api/parameters.h"

#include <fmt/format.h>

#include <utility>

#include "base/text.h"

namespace coffer::api {

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
  auto path = Path::parse(text);
  if (!path) return failure_of(std::move(path));
  out = *std::move(path);
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
  auto name = Name::parse(text);
  if (!name) return failure_of(std::move(name));
  out.name = *std::move(name);
  return {};
}

}  // namespace coffer::api
