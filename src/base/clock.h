#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace coffer {

/// A point in time, in UTC, with the resolution of file systems: nanoseconds.
using Timestamp = std::chrono::sys_time<std::chrono::nanoseconds>;

/// The earliest and the latest supported time: the first second of 1678 and the last of 2261. The
/// years before and after do not fit wholly into 64-bit nanoseconds.
inline constexpr Timestamp kEarliest{
    std::chrono::sys_days{std::chrono::year{1678} / std::chrono::January / 1}};
inline constexpr Timestamp kLatest{
    std::chrono::sys_days{std::chrono::year{2262} / std::chrono::January / 1} -
    std::chrono::seconds{1}};

/// Returns the current time, by this machine's clock or the one that it follows. Safe from any
/// thread.
Timestamp now();

/// Returns the current time by this machine's clock, as its disks show it. Safe from any thread.
Timestamp own_now();

/// Makes `now` follow another machine's clock from here on, whatever happens to this machine's. The
/// other clock showed `other` at some moment between `earliest` and `latest`. Call it again every
/// few seconds, since clocks run at different speeds. Safe from any thread.
void follow_clock(Timestamp other, std::chrono::steady_clock::time_point earliest,
                  std::chrono::steady_clock::time_point latest);
/// Makes `now` show this machine's clock again.
void follow_own_clock();

/// Returns the time `seconds` and `nanoseconds` after the start of 1970, limited to the range from
/// kEarliest to kLatest.
Timestamp timestamp_of(std::int64_t seconds, std::int64_t nanoseconds = 0);
/// Returns the time `of_day` after the start of a date in UTC, limited to the range from kEarliest
/// to kLatest. The date must be `ok()`.
Timestamp timestamp_of(std::chrono::year_month_day date, std::chrono::seconds of_day);

/// Returns the time if it can be kept: after kEarliest, before kLatest, and not the epoch, by which
/// backends and archives tell that they know no time. Otherwise nullopt. All modification times
/// that files are given go through this function: a time never decides whether a file's bytes are
/// kept.
std::optional<Timestamp> known(Timestamp time);

/// Formats a time as the API shows it, such as `2026-11-21T06:14:09`: UTC, whole seconds, no offset
/// (ISO 8601).
std::string format_timestamp(Timestamp time);
/// Appends the 19 characters of format_timestamp to `out`, without a temporary string.
void append_timestamp(std::string& out, Timestamp time);
/// Parses the format of format_timestamp. Returns nullopt for any other text and for a time before
/// kEarliest. A time after kLatest becomes kLatest.
std::optional<Timestamp> parse_timestamp(std::string_view text);

/// Formats a time as an IMF-fixdate (RFC 9110, section 5.6.7): `Sat, 21 Nov 2026 06:14:09 GMT`.
std::string format_http_date(Timestamp time);
/// Parses an IMF-fixdate. Returns nullopt for any other text, including the obsolete formats, and
/// for a time before kEarliest. A time after kLatest becomes kLatest.
std::optional<Timestamp> parse_http_date(std::string_view text);

}  // namespace coffer
