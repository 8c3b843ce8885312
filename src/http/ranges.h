#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace coffer::http {

/// Bytes `offset` to `offset + length - 1`; the length is never 0.
struct ByteRange {
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
  bool operator==(const ByteRange&) const = default;
};

struct RangeChoice {
  /// `whole`: the header is malformed, of another unit, or asks for too much, and is ignored.
  enum class Kind : std::uint8_t { whole, some, none } kind = Kind::whole;
  /// With `some`: within the content, ascending, neither overlapping nor touching.
  std::vector<ByteRange> ranges;
};

/// What a Range header's value asks of content of `size` bytes (RFC 9110, section 14.1.2).
RangeChoice choose_ranges(std::string_view header, std::uint64_t size);

}  // namespace coffer::http
