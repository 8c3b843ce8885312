#include "base/clock.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <limits>
#include <numeric>

namespace coffer {
namespace {

using std::chrono::sys_days;
using std::chrono::sys_seconds;
using std::chrono::year_month_day;

constexpr std::array<std::string_view, 12> kMonths{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                   "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

constexpr std::array<std::string_view, 7> kWeekdays{"Sun", "Mon", "Tue", "Wed",
                                                    "Thu", "Fri", "Sat"};

// To compare with these needs no conversion to nanoseconds, which could overflow.
constexpr sys_seconds kEarliestSecond = std::chrono::floor<std::chrono::seconds>(kEarliest);
constexpr sys_seconds kLatestSecond = std::chrono::floor<std::chrono::seconds>(kLatest);

using std::chrono::nanoseconds;

/// How far the clock that is followed is ahead of the steady clock, in nanoseconds.
constexpr std::int64_t kOwnClock = std::numeric_limits<std::int64_t>::min();
std::atomic<std::int64_t> ahead_of_steady = kOwnClock;

nanoseconds since_start(std::chrono::steady_clock::time_point time) {
  return std::chrono::duration_cast<nanoseconds>(time.time_since_epoch());
}

struct Civil {
  int year;
  unsigned month, day, weekday;  ///< The weekday from Sunday, 0.
  unsigned hour, minute, second;
};

Civil to_civil(Timestamp time) {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(time);
  const auto days = std::chrono::floor<std::chrono::days>(seconds);
  const year_month_day date{days};
  const auto rest = static_cast<unsigned>((seconds - days).count());
  return {static_cast<int>(date.year()),
          static_cast<unsigned>(date.month()),
          static_cast<unsigned>(date.day()),
          std::chrono::weekday{days}.c_encoding(),
          rest / 3600,
          rest / 60 % 60,
          rest % 60};
}

void put_digits(char* out, unsigned value, int width) {
  for (int i = width - 1; i >= 0; --i, value /= 10) out[i] = static_cast<char>('0' + value % 10);
}

/// Exactly `text`, all digits; anything else makes `ok` false.
unsigned take_digits(std::string_view text, bool& ok) {
  unsigned value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  ok = ok && error == std::errc{} && end == text.data() + text.size();
  return value;
}

std::optional<Timestamp> from_parts(unsigned year, unsigned month, unsigned day, unsigned hour,
                                    unsigned minute, unsigned second) {
  const year_month_day date{std::chrono::year{static_cast<int>(year)}, std::chrono::month{month},
                            std::chrono::day{day}};
  if (!date.ok() || hour > 23 || minute > 59 || second > 60) return std::nullopt;
  const sys_seconds time = sys_days{date} + std::chrono::hours{hour} +
                           std::chrono::minutes{minute} + std::chrono::seconds{second};
  if (time < kEarliestSecond) return std::nullopt;
  return std::min(time, kLatestSecond);
}

}  // namespace

Timestamp own_now() {
  return std::chrono::system_clock::now();
}

Timestamp now() {
  const std::int64_t ahead = ahead_of_steady;
  if (ahead == kOwnClock) return own_now();
  return Timestamp(since_start(std::chrono::steady_clock::now()) + nanoseconds(ahead));
}

// The time stays as it is while it may be right, so that it does not jump to and fro.
void follow_clock(Timestamp other, std::chrono::steady_clock::time_point earliest,
                  std::chrono::steady_clock::time_point latest) {
  const std::int64_t most = (other.time_since_epoch() - since_start(earliest)).count();
  const std::int64_t least = (other.time_since_epoch() - since_start(latest)).count();
  const std::int64_t ahead = ahead_of_steady;
  if (ahead < least || ahead > most) ahead_of_steady = std::midpoint(least, most);
}

void follow_own_clock() {
  ahead_of_steady = kOwnClock;
}

Timestamp timestamp_of(std::int64_t seconds, std::int64_t nanoseconds) {
  const sys_seconds whole{std::chrono::seconds{seconds}};
  if (whole < kEarliestSecond) return kEarliest;
  if (whole >= kLatestSecond) return kLatest;
  return whole + std::chrono::nanoseconds{nanoseconds};
}

Timestamp timestamp_of(year_month_day date, std::chrono::seconds of_day) {
  return timestamp_of((sys_days{date} + of_day).time_since_epoch().count());
}

std::optional<Timestamp> known(Timestamp time) {
  if (time <= kEarliest || time >= kLatest || time == Timestamp()) return std::nullopt;
  return time;
}

void append_timestamp(std::string& out, Timestamp time) {
  const Civil c = to_civil(time);
  char text[] = "0000-00-00T00:00:00";
  put_digits(text, static_cast<unsigned>(c.year), 4);
  put_digits(text + 5, c.month, 2);
  put_digits(text + 8, c.day, 2);
  put_digits(text + 11, c.hour, 2);
  put_digits(text + 14, c.minute, 2);
  put_digits(text + 17, c.second, 2);
  out.append(text, 19);
}

std::string format_timestamp(Timestamp time) {
  std::string out;
  append_timestamp(out, time);
  return out;
}

std::optional<Timestamp> parse_timestamp(std::string_view text) {
  if (text.size() != 19 || text[4] != '-' || text[7] != '-' || text[10] != 'T' || text[13] != ':' ||
      text[16] != ':') {
    return std::nullopt;
  }
  bool ok = true;
  const auto digits = [&](int at, int width) { return take_digits(text.substr(at, width), ok); };
  const auto time = from_parts(digits(0, 4), digits(5, 2), digits(8, 2), digits(11, 2),
                               digits(14, 2), digits(17, 2));
  return ok ? time : std::nullopt;
}

std::string format_http_date(Timestamp time) {
  const Civil c = to_civil(time);
  std::string text = "Day, 00 Mon 0000 00:00:00 GMT";
  text.replace(0, 3, kWeekdays[c.weekday]);
  put_digits(&text[5], c.day, 2);
  text.replace(8, 3, kMonths[c.month - 1]);
  put_digits(&text[12], static_cast<unsigned>(c.year), 4);
  put_digits(&text[17], c.hour, 2);
  put_digits(&text[20], c.minute, 2);
  put_digits(&text[23], c.second, 2);
  return text;
}

std::optional<Timestamp> parse_http_date(std::string_view text) {
  if (text.size() != 29 || text.substr(3, 2) != ", " || text[7] != ' ' || text[11] != ' ' ||
      text[16] != ' ' || text[19] != ':' || text[22] != ':' || text.substr(25) != " GMT") {
    return std::nullopt;
  }
  unsigned month = 0;
  while (month < 12 && kMonths[month] != text.substr(8, 3)) ++month;
  bool ok = true;
  const auto digits = [&](int at, int width) { return take_digits(text.substr(at, width), ok); };
  const auto time = from_parts(digits(12, 4), month + 1, digits(5, 2), digits(17, 2), digits(20, 2),
                               digits(23, 2));
  return ok ? time : std::nullopt;
}

}  // namespace coffer
