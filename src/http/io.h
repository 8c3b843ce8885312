#pragma once

#include <chrono>
#include <cstdint>

namespace coffer::http {

using Instant = std::chrono::steady_clock::time_point;

/// The result of an operation on a connection. `ended`: the peer disconnected, or `cut` was called.
enum class Io : std::uint8_t { done, ended, timed_out };

}  // namespace coffer::http
