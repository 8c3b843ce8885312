#pragma once

#include <optional>
#include <string_view>

#include "base/clock.h"

namespace coffer::rclone {

/// `2026-11-21T06:14:09.123456789+01:00` (RFC 3339); nothing for anything else.
std::optional<Timestamp> parse_rfc3339(std::string_view text);

}  // namespace coffer::rclone
