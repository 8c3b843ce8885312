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
/// One item of a listing.
using FtpItem = remote::Item;

/// Earlier dates become Timestamp(): a server that does not know a date sends one such as 1601.
inline constexpr std::chrono::year_month_day kFirstDate{
    std::chrono::floor<std::chrono::days>(kEarliest)};

/// Parses a line of a reply to MLSD or MLST: facts, a space, and a name (RFC 3659, section 7.2). A
/// reply to MLST has a whole path as the name. Returns nullopt for `.`, `..` and malformed lines.
std::optional<FtpItem> parse_facts(std::string_view line);

/// Parses a line of LIST, in the form of Unix servers (`ls -l`) or of Windows servers (`dir`).
/// Returns nullopt for `.`, `..`, `total` lines and malformed lines. Times are taken as UTC. If a
/// time has no year, it gets the latest year that puts it at most one day after `now`.
std::optional<FtpItem> parse_list_line(std::string_view line, Timestamp now);

/// True if the name is valid as one component of a Path (UTF-8 without control characters) and has
/// at most 1024 bytes.
bool is_sane_name(std::string_view name);

struct Listing {
  std::vector<FtpItem> items;  ///< Without malformed lines and invalid names.
  bool saw_self = false;       ///< The folder itself (`.`) was listed.
  /// True if the text has lines, but none could be parsed. Such a text is a message or a listing in
  /// an unknown format, and must not be taken for the listing of an empty folder.
  bool is_nonsense = false;
};
/// These functions parse a server's whole answer to MLSD or to LIST.
Listing parse_mlsd(std::string_view text);
Listing parse_list(std::string_view text, Timestamp now);

/// Parses `20261121153334` as a time in UTC, and ignores a fraction of a second after it (RFC 3659,
/// section 2.3). Returns nullopt if the text is malformed.
std::optional<Timestamp> parse_time_value(std::string_view text);
/// Formats a time in UTC as 14 digits: `20261121153334`.
std::string format_time_value(Timestamp time);

}  // namespace coffer::ftp
