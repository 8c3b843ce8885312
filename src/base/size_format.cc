#include "base/size_format.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>

namespace coffer {
namespace {

constexpr std::array<std::string_view, 7> kUnits{"B", "KB", "MB", "GB", "TB", "PB", "EB"};
constexpr std::string_view kLetters = "bkmgtpe";
constexpr double kLargest = 9223372036854774784.0;  // The largest double below 2^63.

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
}

/// The power of 1024 that a unit stands for, or -1.
int exponent_of(std::string_view unit) {
  if (unit.empty()) return 0;
  const auto exponent = kLetters.find(lower(unit[0]));
  if (exponent == std::string_view::npos) return -1;
  unit.remove_prefix(1);
  if (exponent > 0 && !unit.empty() && lower(unit[0]) == 'i') unit.remove_prefix(1);
  if (exponent > 0 && !unit.empty() && lower(unit[0]) == 'b') unit.remove_prefix(1);
  return unit.empty() ? static_cast<int>(exponent) : -1;
}

}  // namespace

std::string format_size(std::uint64_t bytes) {
  auto value = static_cast<double>(bytes);
  std::size_t unit = 0;
  // 1023.95 would be written as 1024.0, so it already belongs to the next unit.
  while (value >= 1023.95 && unit + 1 < kUnits.size()) {
    value /= 1024;
    ++unit;
  }
  return fmt::format("{:.1f} {}", value, kUnits[unit]);
}

std::optional<std::uint64_t> parse_size(std::string_view text) {
  if (text.empty() || text[0] < '0' || text[0] > '9') return std::nullopt;
  std::uint64_t whole = 0;
  const char* const end = text.data() + text.size();
  if (const auto [stop, error] = std::from_chars(text.data(), end, whole);
      stop == end && error == std::errc{} && whole <= INT64_MAX) {
    return whole;
  }
  double value = 0;
  const auto [stop, error] = std::from_chars(text.data(), end, value, std::chars_format::fixed);
  if (error != std::errc{}) return std::nullopt;
  std::string_view unit(stop, end);
  while (!unit.empty() && unit[0] == ' ') unit.remove_prefix(1);
  const int exponent = exponent_of(unit);
  if (exponent < 0) return std::nullopt;
  const double exact = std::ldexp(value, 10 * exponent);
  const double bytes = std::floor(exact);
  if (!(bytes >= 0 && bytes <= kLargest)) return std::nullopt;
  const bool loses_much = exponent == 0 || bytes == 0;
  if (loses_much && bytes != exact) return std::nullopt;
  return static_cast<std::uint64_t>(bytes);
}

}  // namespace coffer
