#pragma once

#include <cstdint>

#include "base/clock.h"

namespace coffer::catalog {

/// Sizes are 63-bit in the database; a larger one means no more than the largest.
long long to_column(std::uint64_t bytes);
long long to_column(Timestamp time);
Timestamp timestamp_from(long long nanoseconds);

}  // namespace coffer::catalog
