#include "backends/ftp/listing.h"

#include <fmt/format.h>

#include <array>
#include <ranges>

#include "base/path.h"
#include "base/text.h"

namespace coffer::ftp {
namespace {

using namespace std::chrono;

struct Facts {
  std::string_view type, size, modify;
};

void note(Facts& facts, std::string_view fact) {
  const auto equals = fact.find('=');
  if (equals == fact.npos) return;
  const auto key = fact.substr(0, equals);
  const auto value = fact.substr(equals + 1);
  if (equal_ignoring_case(key, "type")) facts.type = value;
  if (equal_ignoring_case(key, "size")) facts.size = value;
  if (equal_ignoring_case(key, "modify")) facts.modify = value;
}

Kind kind_of(std::string_view type) {
  if (equal_ignoring_case(type, "file")) return Kind::file;
  if (equal_ignoring_case(type, "dir")) return Kind::folder;
  // OS.unix=slink:target, OS.unix=symlink.
  if (type.size() > 8 && equal_ignoring_case(type.substr(0, 8), "os.unix=")) {
    const auto rest = type.substr(8);
    if (rest.starts_with("slink") || rest.starts_with("symlink")) return Kind::link;
  }
  return Kind::other;
}

/// Cuts a line into words separated by blanks, and knows what follows.
class Words {
 public:
  explicit Words(std::string_view line) : rest_(line) {}

  std::string_view next() {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(' '), rest_.size()));
    const auto word = rest_.substr(0, rest_.find(' '));
    rest_.remove_prefix(word.size());
    return word;
  }
  /// All behind the one blank that ends the last word: a name may begin with blanks of its own.
  std::string_view rest() const { return rest_.substr(rest_.empty() ? 0 : 1); }
  std::string_view rest_without_blanks() const {
    return rest_.substr(std::min(rest_.find_first_not_of(' '), rest_.size()));
  }

 private:
  std::string_view rest_;
};

std::optional<month> month_of(std::string_view text) {
  constexpr std::array<std::string_view, 12> kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                        "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  for (unsigned i = 0; i < kMonths.size(); ++i) {
    if (text == kMonths[i]) return month(i + 1);
  }
  return std::nullopt;
}

/// `15:26`.
std::optional<minutes> clock_of(std::string_view text) {
  const auto colon = text.find(':');
  if (colon == text.npos) return std::nullopt;
  const auto hour = parse_number<unsigned>(text.substr(0, colon));
  const auto minute = parse_number<unsigned>(text.substr(colon + 1));
  if (!hour || !minute || *hour > 23 || *minute > 59) return std::nullopt;
  return hours(*hour) + minutes(*minute);
}

std::optional<Timestamp> instant(year_month_day date, minutes clock) {
  if (!date.ok()) return std::nullopt;
  return date < kFirstDate ? Timestamp() : timestamp_of(date, clock);
}

/// `Nov 21 15:26`, or `Jan  2  2020`.
std::optional<Timestamp> unix_time(std::string_view month_text, std::string_view day_text,
                                   std::string_view last, Timestamp now) {
  const auto month = month_of(month_text);
  const auto day_number = parse_number<unsigned>(day_text);
  if (!month || !day_number || *day_number > 31) return std::nullopt;
  const day day(*day_number);
  const auto clock = clock_of(last);
  if (!clock) {
    const auto year_number = parse_number<int>(last);
    if (!year_number || last.size() != 4) return std::nullopt;
    return instant(year(*year_number) / *month / day, minutes(0));
  }
  const year this_year = year_month_day(floor<days>(now)).year();
  // The server's clock may be ahead, and its zone too.
  for (const year candidate : {this_year + years(1), this_year, this_year - years(1)}) {
    const auto time = instant(candidate / *month / day, *clock);
    if (time && *time <= now + days(1)) return time;
  }
  // The 29th of February lies up to eight years back.
  for (year candidate = this_year - years(2); candidate > this_year - years(9); --candidate) {
    if (const auto time = instant(candidate / *month / day, *clock)) return time;
  }
  return std::nullopt;
}

std::optional<Kind> kind_of(char mark) {
  switch (mark) {
    case '-':
      return Kind::file;
    case 'd':
      return Kind::folder;
    case 'l':
      return Kind::link;
    case 'b':
    case 'c':
    case 'p':
    case 's':
    case 'D':
      return Kind::other;
    default:
      return std::nullopt;
  }
}

std::optional<FtpItem> finished(FtpItem item, std::string_view name) {
  if (item.kind == Kind::link) name = name.substr(0, name.find(" -> "));
  if (name.empty() || name == "." || name == "..") return std::nullopt;
  item.name = name;
  return item;
}

/// `drwxr-xr-x 2 user group 4096 Nov 21 15:26 name`, also without the group or the link count.
std::optional<FtpItem> parse_unix(std::string_view line, Timestamp now) {
  const auto kind = line.size() < 10 ? std::nullopt : kind_of(line[0]);
  if (!kind || line.substr(1, 9).find_first_not_of("rwxsStTlL-") != line.npos) return std::nullopt;
  Words words(line);
  words.next();
  // The fields before the size differ: the month behind it finds it.
  std::string_view before;
  for (int i = 0; i < 7; ++i) {
    const auto word = words.next();
    if (word.empty()) return std::nullopt;
    const auto size = parse_number<std::uint64_t>(before);
    if (i > 0 && month_of(word) && (size || *kind == Kind::other)) {
      const auto day = words.next();
      const auto last = words.next();
      const auto time = unix_time(word, day, last, now);
      if (!time) return std::nullopt;
      return finished({.kind = *kind, .size_bytes = size.value_or(0), .modified_at = *time},
                      words.rest());
    }
    before = word;
  }
  return std::nullopt;
}

/// `11-21-26` or `11-21-2026`, month first, and `03:26PM` or `15:26`.
std::optional<Timestamp> windows_time(std::string_view date, std::string_view clock) {
  if ((date.size() != 8 && date.size() != 10) || date[2] != '-' || date[5] != '-') {
    return std::nullopt;
  }
  const auto month_number = parse_number<unsigned>(date.substr(0, 2));
  const auto day_number = parse_number<unsigned>(date.substr(3, 2));
  auto year_number = parse_number<int>(date.substr(6));
  if (!month_number || !day_number || !year_number) return std::nullopt;
  if (date.size() == 8) *year_number += *year_number < 70 ? 2000 : 1900;
  hours shift(0);
  if (clock.ends_with("AM") || clock.ends_with("PM")) {
    const bool afternoon = clock.ends_with("PM");
    clock.remove_suffix(2);
    const bool twelve = clock.starts_with("12");
    shift = hours((afternoon ? 12 : 0) - (twelve ? 12 : 0));
  }
  const auto time = clock_of(clock);
  if (!time) return std::nullopt;
  return instant(year(*year_number) / month(*month_number) / day(*day_number), *time + shift);
}

/// `11-21-26  03:26PM  <DIR>  name`.
std::optional<FtpItem> parse_windows(std::string_view line) {
  Words words(line);
  const auto date = words.next();
  const auto clock = words.next();
  const auto time = windows_time(date, clock);
  if (!time) return std::nullopt;
  FtpItem item;
  item.modified_at = *time;
  const auto size = words.next();
  if (size == "<DIR>") {
    // The column is wider than the mark.
    item.kind = Kind::folder;
    return finished(std::move(item), words.rest_without_blanks());
  }
  if (size == "<JUNCTION>" || size.starts_with("<SYMLINK")) {
    item.kind = Kind::link;
    return finished(std::move(item), words.rest_without_blanks());
  }
  const auto bytes = parse_number<std::uint64_t>(size);
  if (!bytes) return std::nullopt;
  item.size_bytes = *bytes;
  return finished(std::move(item), words.rest());
}

/// More than any file system takes: 255 UTF-16 units of NTFS are 765 bytes.
constexpr std::size_t kNameLimitBytes = 1024;

/// `.` or `..` as MLSD tells them.
bool has_self_facts(std::string_view line) {
  const auto facts = line.substr(0, line.find(' '));
  return facts.find("=cdir;") != facts.npos || facts.find("=pdir;") != facts.npos;
}

bool is_self(std::string_view line) {
  return line.starts_with('d') && line.ends_with(" .");
}

/// `total 12`, in whatever language.
bool is_total(std::string_view line) {
  const auto number = line.substr(line.find(' ') + 1);
  return number.size() < line.size() && !number.empty() &&
         number.find_first_not_of("0123456789") == number.npos;
}

/// Lines of a listing that are no items.
bool is_known(std::string_view line) {
  return line.empty() || is_total(line) || line.ends_with(" .") || line.ends_with(" ..");
}

template <class IsSelf, class Parse>
Listing parse_lines(std::string_view text, IsSelf is_self, Parse parse) {
  Listing listing;
  bool has_sense = false;
  for (const auto part : text | std::views::split('\n')) {
    std::string_view line(part.begin(), part.end());
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (is_self(line)) listing.saw_self = true;
    auto item = parse(line);
    if (item || is_known(line)) {
      has_sense = has_sense || !line.empty();
    } else {
      listing.is_nonsense = true;
    }
    if (item && is_sane_name(item->name)) listing.items.push_back(std::move(*item));
  }
  listing.is_nonsense = listing.is_nonsense && !has_sense;
  return listing;
}

}  // namespace

std::optional<Timestamp> parse_time_value(std::string_view text) {
  if (text.size() < 14 || (text.size() > 14 && text[14] != '.')) return std::nullopt;
  const auto part = [&](std::size_t at, std::size_t count) { return text.substr(at, count); };
  return parse_timestamp(fmt::format("{}-{}-{}T{}:{}:{}", part(0, 4), part(4, 2), part(6, 2),
                                     part(8, 2), part(10, 2), part(12, 2)));
}

std::string format_time_value(Timestamp time) {
  std::string text = format_timestamp(time);
  std::erase_if(text, [](char c) { return c < '0' || c > '9'; });
  return text;
}

std::optional<FtpItem> parse_facts(std::string_view line) {
  // The facts hold no space; the name may.
  const auto space = line.find(' ');
  if (space == line.npos || space + 1 == line.size()) return std::nullopt;
  Facts facts;
  for (auto rest = line.substr(0, space); !rest.empty();) {
    const auto end = rest.find(';');
    note(facts, rest.substr(0, end));
    rest = end == rest.npos ? std::string_view() : rest.substr(end + 1);
  }
  if (facts.type.empty() || equal_ignoring_case(facts.type, "cdir") ||
      equal_ignoring_case(facts.type, "pdir")) {
    return std::nullopt;
  }
  FtpItem item{.name = std::string(line.substr(space + 1)), .kind = kind_of(facts.type)};
  if (item.kind == Kind::file) {
    const auto size = parse_number<std::uint64_t>(facts.size);
    if (!size) return std::nullopt;
    item.size_bytes = *size;
  }
  item.modified_at = parse_time_value(facts.modify).value_or(Timestamp());
  return item;
}

std::optional<FtpItem> parse_list_line(std::string_view line, Timestamp now) {
  if (auto item = parse_unix(line, now)) return item;
  return parse_windows(line);
}

bool is_sane_name(std::string_view name) {
  if (name.empty() || name.size() > kNameLimitBytes) return false;
  const auto path = Path::parse(name);
  return path && path->str() == name && path->depth() == 1;
}

Listing parse_mlsd(std::string_view text) {
  return parse_lines(text, has_self_facts, [](std::string_view line) { return parse_facts(line); });
}

Listing parse_list(std::string_view text, Timestamp now) {
  return parse_lines(text, is_self,
                     [now](std::string_view line) { return parse_list_line(line, now); });
}

}  // namespace coffer::ftp
