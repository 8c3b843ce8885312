#include "http/syntax.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "base/text.h"

namespace coffer::http {
namespace {

constexpr std::array<bool, 256> token_table() {
  std::array<bool, 256> table{};
  for (int c = '0'; c <= '9'; ++c) table[c] = true;
  for (int c = 'a'; c <= 'z'; ++c) table[c] = true;
  for (int c = 'A'; c <= 'Z'; ++c) table[c] = true;
  for (const char c : std::string_view("!#$%&'*+-.^_`|~"))
    table[static_cast<unsigned char>(c)] = true;
  return table;
}
constexpr auto kToken = token_table();

/// Removes a quoted string, whose opening quote was removed before, from the front of `rest`.
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

/// Removes the value of a parameter and the semicolon after it from the front of `rest`.
std::optional<std::string> take_value(std::string_view& rest) {
  rest = trim(rest);
  if (!rest.starts_with('"')) return std::string(trim(cut_front(rest, ';')));
  rest.remove_prefix(1);
  auto value = take_quoted(rest);
  if (!value || !trim(cut_front(rest, ';')).empty()) return std::nullopt;
  return value;
}

}  // namespace

bool is_token_char(char c) {
  return kToken[static_cast<unsigned char>(c)];
}

bool is_token(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, is_token_char);
}

std::string_view trim(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

std::optional<std::uint64_t> parse_decimal(std::string_view text) {
  std::uint64_t value = 0;
  const char* end = text.data() + text.size();
  // For an unsigned type from_chars accepts only digits, no sign and no space.
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || stop != end) return std::nullopt;
  return value;
}

int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const char lower = to_lower(c);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

std::string_view cut_front(std::string_view& rest, char separator) {
  const auto at = rest.find(separator);
  const auto front = rest.substr(0, at);
  rest = at == std::string_view::npos ? std::string_view() : rest.substr(at + 1);
  return front;
}

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
