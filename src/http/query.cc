#include "http/query.h"

#include "base/text.h"
#include "http/syntax.h"

namespace coffer::http {

Result<std::string> percent_decode(std::string_view text, bool plus_is_space) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += plus_is_space && text[i] == '+' ? ' ' : text[i];
      continue;
    }
    const int high = i + 2 < text.size() ? hex_value(text[i + 1]) : -1;
    const int low = i + 2 < text.size() ? hex_value(text[i + 2]) : -1;
    if (high < 0 || low < 0) return fail(ErrorCode::invalid, "The percent-encoding is broken.");
    out += static_cast<char>(high * 16 + low);
    i += 2;
  }
  if (!is_utf8(out)) return fail(ErrorCode::invalid, "The text is not valid UTF-8.");
  if (has_control_character(out)) {
    return fail(ErrorCode::invalid, "The text holds a control character.");
  }
  return out;
}

std::string percent_encode(std::string_view text, std::string_view kept_marks) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string out;
  for (const char c : text) {
    const bool is_plain = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') ||
                          (c >= 'a' && c <= 'z') || kept_marks.find(c) != std::string_view::npos;
    if (is_plain) {
      out += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    out += '%';
    out += kDigits[byte >> 4];
    out += kDigits[byte & 15];
  }
  return out;
}

std::string query_encode(std::string_view value) {
  return percent_encode(value, "-._~/");
}

Result<Query> Query::parse(std::string_view text) {
  Query query;
  while (!text.empty()) {
    std::string_view value = cut_front(text, '&');
    if (value.empty()) continue;
    auto name = percent_decode(cut_front(value, '='), true);
    if (!name) return fail(ErrorCode::invalid, "The name of a parameter is malformed.");
    auto decoded = percent_decode(value, true);
    if (!decoded) {
      return fail(ErrorCode::invalid,
                  "The parameter " + *name + " is malformed: " + decoded.error().message);
    }
    query.parameters_.emplace_back(std::move(*name), std::move(*decoded));
  }
  return query;
}

Result<std::optional<std::string_view>> Query::get(std::string_view name) const {
  std::optional<std::string_view> found;
  for (const auto& [known, value] : parameters_) {
    if (known != name) continue;
    if (found) {
      return fail(ErrorCode::invalid, "The parameter " + std::string(name) + " is given twice.");
    }
    found = value;
  }
  return found;
}

std::vector<std::string_view> Query::all(std::string_view name) const {
  std::vector<std::string_view> values;
  for (const auto& [known, value] : parameters_) {
    if (known == name) values.push_back(value);
  }
  return values;
}

std::optional<std::string_view> Query::other_than(std::span<const std::string_view> names) const {
  for (const auto& [name, value] : parameters_) {
    if (std::ranges::find(names, name) == names.end()) return name;
  }
  return std::nullopt;
}

}  // namespace coffer::http
