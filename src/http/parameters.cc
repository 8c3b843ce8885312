#include "http/parameters.h"

#include "http/syntax.h"

namespace coffer::http {
namespace {

/// Takes a quoted string, its opening quote gone already, off the front of `rest`.
std::optional<std::string> take_quoted(std::string_view& rest) {
  std::string value;
  for (std::size_t i = 0; i < rest.size(); ++i) {
    if (rest[i] == '"') {
      rest.remove_prefix(i + 1);
      return value;
    }
    const bool escapes =
        rest[i] == '\\' && i + 1 < rest.size() && (rest[i + 1] == '"' || rest[i + 1] == '\\');
    if (escapes) ++i;
    value += rest[i];
  }
  return std::nullopt;
}

/// Takes the value of a parameter and the semicolon behind it off the front of `rest`.
std::optional<std::string> take_value(std::string_view& rest) {
  rest = trim(rest);
  if (!rest.starts_with('"')) return std::string(trim(cut_front(rest, ';')));
  rest.remove_prefix(1);
  auto value = take_quoted(rest);
  if (!value || !trim(cut_front(rest, ';')).empty()) return std::nullopt;
  return value;
}

}  // namespace

std::optional<std::string_view> Parameters::get(std::string_view name) const {
  for (const Parameter& parameter : list) {
    if (equal_ignoring_case(parameter.name, name)) return parameter.value;
  }
  return std::nullopt;
}

std::optional<Parameters> parse_parameters(std::string_view text) {
  Parameters parameters;
  parameters.subject = trim(cut_front(text, ';'));
  while (!(text = trim(text)).empty()) {
    if (text.front() == ';') {
      text.remove_prefix(1);
      continue;
    }
    const auto equals = text.find('=');
    if (equals == std::string_view::npos) return std::nullopt;
    const auto name = trim(text.substr(0, equals));
    text.remove_prefix(equals + 1);
    auto value = take_value(text);
    if (!is_token(name) || !value || parameters.get(name)) return std::nullopt;
    parameters.list.push_back({name, std::move(*value)});
  }
  return parameters;
}

}  // namespace coffer::http
