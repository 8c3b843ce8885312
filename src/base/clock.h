#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace coffer {

/// A point in UTC, to the nanosecond, as file systems keep it.
using Timestamp = std::chrono::sys_time<std::chrono::nanoseconds>;

/// The earliest and the latest time in use: the whole years that 64 bits of nanoseconds hold.
inline constexpr Timestamp kEarliest{
    std::chrono::sys_days{std::chrono::year{1678} / std::chrono::January / 1}};
inline constexpr Timestamp kLatest{
    std::chrono::sys_days{std::chrono::year{2262} / std::chrono::January / 1} -
    std::chrono::seconds{1}};

/// The time now. Safe from any thread.
Timestamp now();

/// The time so many seconds and nanoseconds after 1970, limited to kEarliest and kLatest.
Timestamp timestamp_of(std::int64_t seconds, std::int64_t nanoseconds = 0);
/// The time of a date in UTC, limited in the same way. The date must be `ok()`.
Timestamp timestamp_of(std::chrono::year_month_day date, std::chrono::seconds of_day);

/// `2026-11-21T06:14:09`: UTC, whole seconds, no offset (ISO 8601), as the API shows times.
std::string format_timestamp(Timestamp time);
/// Appends the same 19 characters to `out`, without a temporary.
void append_timestamp(std::string& out, Timestamp time);
/// Reads the form of format_timestamp; nullopt for anything else and for a time before kEarliest. A
/// time after kLatest becomes kLatest.
std::optional<Timestamp> parse_timestamp(std::string_view text);

/// `Sat, 21 Nov 2026 06:14:09 GMT`: the IMF-fixdate of RFC 9110, section 5.6.7.
std::string format_http_date(Timestamp time);
/// Reads an IMF-fixdate in the same way; nullopt for the obsolete forms.
std::optional<Timestamp> parse_http_date(std::string_view text);

}  // namespace coffer
