#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace coffer {

/// A point in UTC, to the nanosecond, as file systems keep it.
using Timestamp = std::chrono::sys_time<std::chrono::nanoseconds>;

/// The first and the last that is used: whole years of what 64 bits of nanoseconds hold.
inline constexpr Timestamp kEarliest{
    std::chrono::sys_days{std::chrono::year{1678} / std::chrono::January / 1}};
inline constexpr Timestamp kLatest{
    std::chrono::sys_days{std::chrono::year{2262} / std::chrono::January / 1} -
    std::chrono::seconds{1}};

/// The time now. Safe from any thread.
Timestamp now();

/// So many seconds, and nanoseconds below a second, after 1970; kEarliest or kLatest where that is
/// before the one or after the other.
Timestamp timestamp_of(std::int64_t seconds, std::int64_t nanoseconds = 0);
/// The time of a date in UTC, bounded in the same way. The date is to be `ok()`.
Timestamp timestamp_of(std::chrono::year_month_day date, std::chrono::seconds of_day);

/// `2026-11-21T06:14:09`: UTC, whole seconds, no offset (ISO 8601), as the API shows times.
std::string format_timestamp(Timestamp time);
/// Appends the same 19 characters to `out`, without a temporary.
void append_timestamp(std::string& out, Timestamp time);
/// Reads what format_timestamp wrote; nothing for anything else, or for a time before kEarliest,
/// which says that there is none. Later than kLatest it is that.
std::optional<Timestamp> parse_timestamp(std::string_view text);

/// `Sat, 21 Nov 2026 06:14:09 GMT`: the IMF-fixdate of RFC 9110, section 5.6.7.
std::string format_http_date(Timestamp time);
/// Reads an IMF-fixdate in the same way; nothing for the obsolete forms.
std::optional<Timestamp> parse_http_date(std::string_view text);

}  // namespace coffer
