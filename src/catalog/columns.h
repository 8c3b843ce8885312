#pragma once

#include <soci/soci.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include "base/clock.h"

namespace coffer::catalog {

/// Converts a size to a column's signed integer. A size above 2^63 - 1 becomes 2^63 - 1.
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
/// Executes a query, and returns what `from` makes of each row.
template <class From>
auto select_all(const soci::rowset<soci::row>& rows, From from) {
  std::vector<std::invoke_result_t<From, const soci::row&>> all;
  for (const soci::row& row : rows) all.push_back(from(row));
  return all;
}

/// Executes a statement, and returns how many rows it inserted, updated or deleted.
inline long long changed_rows(soci::statement statement) {
  statement.execute(true);
  return statement.get_affected_rows();
}

}  // namespace coffer::catalog
