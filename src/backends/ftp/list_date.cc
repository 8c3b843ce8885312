#include "backends/ftp/list_date.h"

#include <algorithm>
#include <array>

#include "base/text.h"

namespace coffer::ftp {
namespace {

using namespace std::chrono;
using WordSpan = std::span<const std::string_view>;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

std::string_view word_at(WordSpan words, std::size_t at) {
  return at < words.size() ? words[at] : std::string_view();
}

/// Returns true if the word had this end.
bool take_end(std::string_view& word, std::string_view end) {
  if (!word.ends_with(end)) return false;
  word.remove_suffix(end.size());
  return true;
}

/// `Nov`, `nov.`, or `11` with the sign for a month in Chinese, Japanese or Korean.
std::optional<month> month_of(std::string_view word) {
  constexpr std::array<std::string_view, 12> kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                        "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  if (take_end(word, "月") || take_end(word, "월")) {
    const auto number = parse_number<unsigned>(word);
    return number && *number >= 1 && *number <= 12 ? std::optional(month(*number)) : std::nullopt;
  }
  take_end(word, ".");
  for (unsigned i = 0; i < kMonths.size(); ++i) {
    if (equal_ignoring_case(word, kMonths[i])) return month(i + 1);
  }
  return std::nullopt;
}

/// `21`, `21.`, or with the sign for a day.
std::optional<day> day_of(std::string_view word) {
  for (const std::string_view mark : {".", ",", "日", "일"}) {
    if (take_end(word, mark)) break;
  }
  const auto number = parse_number<unsigned>(word);
  return number && *number >= 1 && *number <= 31 ? std::optional(day(*number)) : std::nullopt;
}

bool is_year(std::string_view word) {
  return word.size() == 4 && std::ranges::all_of(word, is_digit);
}

/// Whatever its hours are.
bool is_clock(std::string_view word) {
  return !word.empty() && is_digit(word.front()) && word.contains(':') &&
         word.find_first_not_of("0123456789:.,") == word.npos;
}

/// `15:26`, `15:26:33` or `15:26:33.5`; a part of a second is left out.
std::optional<seconds> clock_of(std::string_view word) {
  const auto colon = word.find(':');
  if (colon == word.npos) return std::nullopt;
  const auto hour = parse_number<unsigned>(word.substr(0, colon));
  word.remove_prefix(colon + 1);
  const auto minute = parse_number<unsigned>(word.substr(0, word.find(':')));
  std::optional<unsigned> second = 0;
  if (const auto next = word.find(':'); next != word.npos) {
    word.remove_prefix(next + 1);
    second = parse_number<unsigned>(word.substr(0, word.find_first_of(".,")));
  }
  if (!hour || !minute || !second || *hour > 23 || *minute > 59 || *second > 60) {
    return std::nullopt;
  }
  return hours(*hour) + minutes(*minute) + seconds(*second);
}

std::optional<Timestamp> instant(year_month_day date, seconds clock) {
  if (!date.ok()) return std::nullopt;
  return date < kFirstDate ? Timestamp() : timestamp_of(date, clock);
}

Timestamp time_without_year(month month, day day, seconds clock, Timestamp now) {
  const year this_year = year_month_day(floor<days>(now)).year();
  // The server's clock may be ahead, and its zone too.
  for (const year candidate : {this_year + years(1), this_year, this_year - years(1)}) {
    const auto time = instant(candidate / month / day, clock);
    if (time && *time <= now + days(1)) return *time;
  }
  // The 29th of February lies up to eight years back.
  for (year candidate = this_year - years(2); candidate > this_year - years(9); --candidate) {
    if (const auto time = instant(candidate / month / day, clock)) return *time;
  }
  return Timestamp();
}

/// `Nov 21 15:26`, or `21 Nov 2026`.
std::optional<ListDate> named_date(WordSpan words, Timestamp now) {
  const std::string_view last = word_at(words, 2);
  if (!is_clock(last) && !is_year(last)) return std::nullopt;
  auto month = month_of(words[0]);
  auto day = day_of(words[1]);
  if (!month || !day) {
    day = day_of(words[0]);
    month = month_of(words[1]);
  }
  if (!month || !day) return std::nullopt;
  ListDate date{.words = 3};
  if (is_year(last)) {
    const year year(*parse_number<int>(last));
    date.time = instant(year / *month / *day, seconds(0)).value_or(Timestamp());
  } else if (const auto clock = clock_of(last)) {
    date.time = time_without_year(*month, *day, *clock, now);
  }
  return date;
}

/// Numbers with one sign between them, such as `2026-11-21`.
struct Digits {
  std::array<std::string_view, 3> groups;
  std::size_t count = 0;
  char sign = 0;

  int number(std::size_t group) const { return parse_number<int>(groups.at(group)).value_or(0); }
  bool is_year(std::size_t group) const { return groups.at(group).size() == 4; }
};

std::optional<Digits> digits_in(std::string_view word) {
  Digits digits;
  for (;;) {
    const std::size_t end = std::min(word.find_first_not_of("0123456789"), word.size());
    if (end == 0 || end > 4 || digits.count == 3) return std::nullopt;
    digits.groups.at(digits.count++) = word.substr(0, end);
    word.remove_prefix(end);
    if (word.empty()) break;
    if (digits.sign == 0) digits.sign = word.front();
    if (word.front() != digits.sign || !std::string_view("-./").contains(digits.sign)) {
      return std::nullopt;
    }
    word.remove_prefix(1);
  }
  if (digits.count < 2) return std::nullopt;
  return digits;
}

year_month_day date_from(int year_number, int month_number, int day_number) {
  return year(year_number) / month(static_cast<unsigned>(month_number)) /
         day(static_cast<unsigned>(day_number));
}

/// Year first, or day first with dots.
std::optional<year_month_day> date_of(const Digits& digits) {
  if (digits.count != 3) return std::nullopt;
  if (digits.is_year(0)) return date_from(digits.number(0), digits.number(1), digits.number(2));
  if (digits.sign != '.' || !digits.is_year(2)) return std::nullopt;
  return date_from(digits.number(2), digits.number(1), digits.number(0));
}

/// `+0100`: how far the clock is ahead of UTC.
std::optional<seconds> zone_of(std::string_view word) {
  if (word.size() != 5 || (word[0] != '+' && word[0] != '-')) return std::nullopt;
  const auto number = parse_number<int>(word.substr(1));
  if (!number) return std::nullopt;
  const seconds ahead = hours(*number / 100) + minutes(*number % 100);
  return word[0] == '-' ? -ahead : ahead;
}

/// `2026-11-21 15:26:33 +0100`, `21.11.2026`, or `11-21 15:26`.
std::optional<ListDate> date_in_digits(WordSpan words, Timestamp now) {
  const auto digits = digits_in(words[0]);
  if (!digits) return std::nullopt;
  const bool has_clock = is_clock(word_at(words, 1));
  const auto clock = has_clock ? clock_of(words[1]) : seconds(0);
  if (digits->count == 2) {
    if (digits->sign != '-' || !has_clock) return std::nullopt;
    const auto day = date_from(2024, digits->number(0), digits->number(1));
    if (!day.ok() || !clock) return ListDate{.words = 2};
    return ListDate{2, time_without_year(day.month(), day.day(), *clock, now)};
  }
  const auto date = date_of(*digits);
  if (!date) return std::nullopt;
  const auto zone = has_clock ? zone_of(word_at(words, 2)) : std::nullopt;
  ListDate found{.words = zone ? 3U : has_clock ? 2U : 1U};
  if (clock) {
    found.time = instant(*date, *clock - zone.value_or(seconds(0))).value_or(Timestamp());
  }
  return found;
}

bool has_digit(std::string_view word) {
  return std::ranges::any_of(word, is_digit);
}

/// `03:26PM`, `15:26`, or `03:26 PM` in two words. Returns the number of words; 0 if it is none.
std::size_t windows_clock(WordSpan words, std::optional<seconds>& clock) {
  std::string_view word = word_at(words, 0);
  std::size_t count = 1;
  std::string_view half = word_at(words, 1);
  if (equal_ignoring_case(half, "AM") || equal_ignoring_case(half, "PM")) {
    count = 2;
  } else {
    half = word.size() > 2 ? word.substr(word.size() - 2) : word;
    if (equal_ignoring_case(half, "AM") || equal_ignoring_case(half, "PM")) {
      word.remove_suffix(2);
    } else {
      half = {};
    }
  }
  if (!is_clock(word)) return 0;
  clock = clock_of(word);
  if (clock && !half.empty()) {
    const bool is_afternoon = equal_ignoring_case(half, "PM");
    const bool is_twelve = floor<hours>(*clock) == hours(12);
    *clock += hours((is_afternoon ? 12 : 0) - (is_twelve ? 12 : 0));
  }
  return count;
}

}  // namespace

std::optional<ListDate> known_date(WordSpan words, Timestamp now) {
  if (words.size() < 2) return std::nullopt;
  if (auto named = named_date(words, now)) return named;
  return date_in_digits(words, now);
}

std::optional<ListDate> likely_date(WordSpan words) {
  if (words.size() < 2) return std::nullopt;
  const bool is_one_word =
      has_digit(words[0]) && words[0].find_first_of("-./") != std::string::npos;
  if (is_one_word && is_clock(words[1])) return ListDate{.words = 2};
  const std::string_view last = word_at(words, 2);
  const int year_number = is_year(last) ? parse_number<int>(last).value_or(0) : 0;
  const bool has_end = is_clock(last) || (year_number >= 1980 && year_number <= 2100);
  const bool has_day =
      (day_of(words[0]) && !has_digit(words[1])) || (day_of(words[1]) && !has_digit(words[0]));
  return has_end && has_day ? std::optional(ListDate{.words = 3}) : std::nullopt;
}

std::optional<ListDate> windows_date(WordSpan words) {
  const auto digits = words.empty() ? std::nullopt : digits_in(words[0]);
  if (!digits || digits->count != 3) return std::nullopt;
  std::optional<seconds> clock;
  const std::size_t clock_words = windows_clock(words.subspan(1), clock);
  if (clock_words == 0) return std::nullopt;
  auto date = date_of(*digits);
  if (!date && digits->sign == '-') {
    int year_number = digits->number(2);
    if (digits->groups[2].size() == 2) year_number += year_number < 70 ? 2000 : 1900;
    date = date_from(year_number, digits->number(0), digits->number(1));
  }
  ListDate found{.words = 1 + clock_words};
  if (date && clock) found.time = instant(*date, *clock).value_or(Timestamp());
  return found;
}

}  // namespace coffer::ftp
