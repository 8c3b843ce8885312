#pragma once

#include <chrono>
#include <cstdint>

namespace coffer::http {

/// The limits for receiving the rest of a request that was answered already, in place of those of
/// ServerOptions, on a connection that is refused as full, and while the server stops.
constexpr std::uint64_t kShortDrainBytes = 256 * 1024;
constexpr std::chrono::milliseconds kShortDrainTime{2'000};

}  // namespace coffer::http
