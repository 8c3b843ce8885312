#pragma once

#include <optional>
#include <string_view>

#include "base/clock.h"

namespace coffer::rclone {

/// Parses a time such as `2026-11-21T06:14:09.5+01:00` (RFC 3339). Returns nullopt if malformed.
std::optional<Timestamp> parse_rfc3339(std::string_view text);

}  // namespace coffer::rclone
