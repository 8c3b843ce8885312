#include "catalog/columns.h"

#include <algorithm>
#include <limits>

namespace coffer::catalog {

long long to_column(std::uint64_t bytes) {
  constexpr auto kLargest = std::numeric_limits<long long>::max();
  return static_cast<long long>(std::min<std::uint64_t>(bytes, kLargest));
}

long long to_column(Timestamp time) {
  return time.time_since_epoch().count();
}

Timestamp timestamp_from(long long nanoseconds) {
  return Timestamp(std::chrono::nanoseconds(nanoseconds));
}

}  // namespace coffer::catalog
