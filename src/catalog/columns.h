#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>

#include "base/clock.h"

namespace coffer::catalog {

/// Converts a size to a column's 63-bit value; a larger size becomes the largest value.
inline long long to_column(std::uint64_t bytes) {
  constexpr auto kLargest = std::numeric_limits<long long>::max();
  return static_cast<long long>(std::min<std::uint64_t>(bytes, kLargest));
}
inline long long to_column(Timestamp time) {
  return time.time_since_epoch().count();
}
inline Timestamp timestamp_from(long long nanoseconds) {
  return Timestamp(std::chrono::nanoseconds(nanoseconds));
}

}  // namespace coffer::catalog
