#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

#include "base/clock.h"

namespace coffer::ftp {

/// Earlier dates become Timestamp(): a server that does not know a date sends one such as 1601.
inline constexpr std::chrono::year_month_day kFirstDate{
    std::chrono::floor<std::chrono::days>(kEarliest)};

/// A date in a line of LIST. What comes behind it is the item's name, so its length matters even if
/// it says no time that can be understood.
struct ListDate {
  std::size_t words = 0;  ///< The number of words that the date takes.
  Timestamp time{};       ///< In UTC; Timestamp() if it is not known.
};

/// Returns the date at the beginning of `words` if it has one of these forms, with or without
/// seconds, and in English where it has a name of a month: `Nov 21 15:26`, `21 Nov 2026`,
/// `2026-11-21 15:26 +0100`, `2026/11/21`, `21.11.2026`, `11-21 15:26`. If the time has no year, it
/// gets the latest year that puts it at most one day after `now`.
std::optional<ListDate> known_date(std::span<const std::string_view> words, Timestamp now);

/// Returns the date at the beginning of `words` if it looks like one of another language or order,
/// such as `21. Okt 15:26` or `21-nov-2026 15:26`. Its time is not known.
std::optional<ListDate> likely_date(std::span<const std::string_view> words);

/// Returns the date and clock of a Windows server at the beginning of `words`: `11-21-26 03:26PM`,
/// month first, or `2026-11-21 15:26` or `21.11.2026 15:26`. Its time is not known if the digits
/// are in another order.
std::optional<ListDate> windows_date(std::span<const std::string_view> words);

}  // namespace coffer::ftp
