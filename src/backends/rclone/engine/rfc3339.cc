#include "backends/rclone/engine/rfc3339.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>

#include "base/text.h"

namespace coffer::rclone {
namespace {

constexpr std::size_t kWholeSeconds = 19;
constexpr std::size_t kNanoDigits = 9;

/// `.123` as nanoseconds, taken from the front of `text`.
std::chrono::nanoseconds take_fraction(std::string_view& text) {
  if (!text.starts_with('.')) return {};
  text.remove_prefix(1);
  std::int64_t nanos = 0;
  for (std::size_t digits = 0; digits < kNanoDigits; ++digits) {
    const bool has_digit = !text.empty() && text.front() >= '0' && text.front() <= '9';
    nanos = 10 * nanos + (has_digit ? text.front() - '0' : 0);
    if (has_digit) text.remove_prefix(1);
  }
  return std::chrono::nanoseconds(nanos);
}

/// `Z`, `+01:00`, `-08:30`.
std::optional<std::chrono::minutes> offset_of(std::string_view text) {
  if (text == "Z") return std::chrono::minutes(0);
  if (text.size() != 6 || text[3] != ':' || (text[0] != '+' && text[0] != '-')) return {};
  const auto hours = parse_number<unsigned>(text.substr(1, 2));
  const auto minutes = parse_number<unsigned>(text.substr(4, 2));
  if (!hours || !minutes) return {};
  const std::chrono::minutes offset(60 * *hours + *minutes);
  return text[0] == '-' ? -offset : offset;
}

}  // namespace

std::optional<Timestamp> parse_rfc3339(std::string_view text) {
  if (text.size() <= kWholeSeconds) return std::nullopt;
  const auto time = parse_timestamp(text.substr(0, kWholeSeconds));
  text.remove_prefix(kWholeSeconds);
  const auto fraction = take_fraction(text);
  const auto offset = offset_of(text);
  if (!time || !offset) return std::nullopt;
  return std::min(kLatest, *time + fraction - *offset);
}

}  // namespace coffer::rclone
