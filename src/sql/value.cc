#include "sql/value.h"

#include <charconv>
#include <system_error>

namespace coffer::sql {

void fail_at(const std::string& what) {
  throw Failure(Failure::Kind::damaged, "A column of the catalog holds " + what + ".");
}

std::int64_t integer_of(const Value& value) {
  if (const auto* number = std::get_if<std::int64_t>(&value)) return *number;
  const std::string& text = text_of(value);
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) {
    fail_at("no integer");
  }
  return number;
}

const std::string& text_of(const Value& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  fail_at("no text");
}

}  // namespace coffer::sql
