#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "backends/remote/adapter.h"
#include "base/clock.h"
#include "storage/entry.h"

namespace coffer::ftp {

using remote::Kind;
/// One line of a listing.
using FtpItem = remote::Item;

/// The earliest valid date: servers that know none tell an earlier one, such as 1601.
inline constexpr std::chrono::year_month_day kFirstDate{
    std::chrono::floor<std::chrono::days>(kEarliest)};

/// Parses a line of MLSD or MLST: facts, a space, a name (RFC 3659, section 7). Returns nullopt for
/// `.` and `..`, and for a malformed line. MLST gives a whole path as the name.
std::optional<FtpItem> parse_facts(std::string_view line);

/// Parses a line of LIST as Unix servers write it (`ls -l`) or Windows (`dir`). Returns nullopt for
/// `.`, `..`, totals and malformed lines. Times are read as UTC; one without a year lies in the
/// twelve months before `now`, give or take a day.
std::optional<FtpItem> parse_list_line(std::string_view line, Timestamp now);

/// True if a Path can hold the name: one component of UTF-8 without control characters, of a length
/// that file systems accept.
bool is_sane_name(std::string_view name);

/// A whole listing. Malformed lines and invalid names are dropped. `saw_self` is set if the folder
/// itself (`.`) was listed, `is_nonsense` if there are lines but none could be parsed: a folder in
/// an unknown form, or a message, must not be taken for an empty one.
struct Listing {
  std::vector<FtpItem> items;
  bool saw_self = false;
  bool is_nonsense = false;
};
Listing parse_mlsd(std::string_view text);
Listing parse_list(std::string_view text, Timestamp now);

/// `20261121153334` with or without a fraction, in UTC (RFC 3659, section 2.3).
std::optional<Timestamp> parse_time_value(std::string_view text);
/// Returns the same 14 digits.
std::string format_time_value(Timestamp time);

}  // namespace coffer::ftp
