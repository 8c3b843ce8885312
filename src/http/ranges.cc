#include "http/ranges.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "http/syntax.h"

namespace coffer::http {
namespace {

constexpr std::size_t kRangeLimit = 64;

/// A number as a range writes it; one too large for us means the same as the largest.
std::optional<std::uint64_t> read_position(std::string_view text) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  if (text.empty() || !std::ranges::all_of(text, is_digit)) return std::nullopt;
  return parse_decimal(text).value_or(std::numeric_limits<std::uint64_t>::max());
}

/// One range of the header; a length of 0 where nothing of it lies within the content.
std::optional<ByteRange> read_range(std::string_view text, std::uint64_t size) {
  const auto dash = text.find('-');
  if (dash == std::string_view::npos) return std::nullopt;
  const auto last = read_position(text.substr(dash + 1));
  if (dash == 0) {
    if (!last) return std::nullopt;
    const auto length = std::min(*last, size);
    return ByteRange{size - length, length};
  }
  const auto first = read_position(text.substr(0, dash));
  const bool open = dash + 1 == text.size();
  if (!first || (!last && !open) || (last && *last < *first)) return std::nullopt;
  if (*first >= size) return ByteRange{};
  const auto end = open ? size - 1 : std::min(*last, size - 1);
  return ByteRange{*first, end - *first + 1};
}

void join(std::vector<ByteRange>& ranges) {
  std::ranges::sort(ranges, {}, &ByteRange::offset);
  std::size_t kept = 0;
  for (std::size_t i = 1; i < ranges.size(); ++i) {
    const std::uint64_t end = ranges[kept].offset + ranges[kept].length;
    if (ranges[i].offset > end) {
      ranges[++kept] = ranges[i];
    } else {
      const std::uint64_t new_end = std::max(end, ranges[i].offset + ranges[i].length);
      ranges[kept].length = new_end - ranges[kept].offset;
    }
  }
  ranges.resize(kept + 1);
}

}  // namespace

RangeChoice choose_ranges(std::string_view header, std::uint64_t size) {
  const auto unit = cut_front(header, '=');
  if (!equal_ignoring_case(unit, "bytes")) return {};
  RangeChoice choice{RangeChoice::Kind::none, {}};
  std::size_t count = 0;
  bool asks_whole_of_nothing = false;
  while (!header.empty()) {
    const auto text = trim(cut_front(header, ','));
    if (text.empty()) continue;
    const auto range = read_range(text, size);
    if (!range || ++count > kRangeLimit) return {};
    if (range->length > 0) choice.ranges.push_back(*range);
    // The last bytes of nothing can be had, but no Content-Range can say so.
    const bool is_suffix = text.front() == '-';
    asks_whole_of_nothing |= is_suffix && size == 0 && read_position(text.substr(1)) != 0u;
  }
  if (count == 0 || asks_whole_of_nothing) return {};
  if (choice.ranges.empty()) return choice;
  choice.kind = RangeChoice::Kind::some;
  join(choice.ranges);
  return choice;
}

}  // namespace coffer::http
