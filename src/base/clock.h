#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace coffer {

/// A point in UTC, to the nanosecond, as file systems keep it.
using Timestamp = std::chrono::sys_time<std::chrono::nanoseconds>;

/// The time now. Safe from any thread.
Timestamp now();

/// `2026-11-21T06:14:09`: UTC, whole seconds, no offset (ISO 8601), as the API shows times.
std::string format_timestamp(Timestamp time);
/// Appends the same 19 characters to `out`, without a temporary.
void append_timestamp(std::string& out, Timestamp time);
/// Reads what format_timestamp wrote; nothing for anything else, or for a year outside of 1678 to
/// 2261, which a Timestamp cannot hold.
std::optional<Timestamp> parse_timestamp(std::string_view text);

/// `Sat, 21 Nov 2026 06:14:09 GMT`: the IMF-fixdate of RFC 9110, section 5.6.7.
std::string format_http_date(Timestamp time);
/// Reads an IMF-fixdate of those years; nothing for anything else (the obsolete forms included).
std::optional<Timestamp> parse_http_date(std::string_view text);

}  // namespace coffer
