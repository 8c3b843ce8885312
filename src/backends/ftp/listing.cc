#include "backends/ftp/listing.h"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>
#include <span>

#include "backends/ftp/list_date.h"
#include "backends/remote/server_names.h"
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

/// The first words of a line, which are separated by blanks. A name may follow them.
class Words {
 public:
  explicit Words(std::string_view line) : line_(line) {
    constexpr std::size_t kMost = 16;
    for (std::size_t at = line.find_first_not_of(' '); at != line.npos && words_.size() < kMost;) {
      const std::size_t end = std::min(line.find(' ', at), line.size());
      words_.push_back(line.substr(at, end - at));
      at = line.find_first_not_of(' ', end);
    }
  }

  std::string_view at(std::size_t index) const {
    return index < words_.size() ? words_[index] : std::string_view();
  }
  std::span<const std::string_view> from(std::size_t index) const {
    return std::span(words_).subspan(std::min(index, words_.size()));
  }
  /// All behind the one blank that follows so many words: a name may begin with blanks of its own.
  std::string_view behind(std::size_t words) const {
    if (words > words_.size()) return {};
    const std::string_view last = at(words - 1);
    const auto end = static_cast<std::size_t>(last.data() - line_.data()) + last.size();
    return end < line_.size() ? line_.substr(end + 1) : std::string_view();
  }

 private:
  std::string_view line_;
  std::vector<std::string_view> words_;
};

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

/// The place of the date among the words of a line, and what it says.
struct PlacedDate {
  std::size_t at = 0;
  ListDate date;
};

/// The fields before the date differ: it stands behind the size. Dates of known forms are looked
/// for at every place first.
std::optional<PlacedDate> find_date(const Words& words, Kind kind, Timestamp now) {
  const auto has_size = [&](std::size_t at) {
    return kind == Kind::other || parse_number<std::uint64_t>(words.at(at - 1));
  };
  for (std::size_t at = 2; at < 9; ++at) {
    const auto date = has_size(at) ? known_date(words.from(at), now) : std::nullopt;
    if (date) return PlacedDate{at, *date};
  }
  for (const std::size_t at : {5, 4, 6, 3, 7, 2}) {
    const auto date = has_size(at) ? likely_date(words.from(at)) : std::nullopt;
    if (date) return PlacedDate{at, *date};
  }
  return std::nullopt;
}

/// `drwxr-xr-x`, or in two words, of NetWare, `d [RWCEAFMS]`.
bool has_mode(std::string_view line, const Words& words) {
  if (words.at(0).size() == 1) return words.at(1).starts_with('[') && words.at(1).ends_with(']');
  return line.size() >= 10 &&
         line.substr(1, 9).find_first_not_of("rwxsStTlL-") == std::string_view::npos;
}

/// `drwxr-xr-x 2 user group 4096 Nov 21 15:26 name`, also without the group or the link count.
std::optional<FtpItem> parse_unix(std::string_view line, Timestamp now) {
  if (line.empty()) return std::nullopt;
  const auto kind = kind_of(line[0]);
  const Words words(line);
  if (!kind || !has_mode(line, words)) return std::nullopt;
  const auto found = find_date(words, *kind, now);
  if (!found) return std::nullopt;
  const auto size = parse_number<std::uint64_t>(words.at(found->at - 1));
  return finished({.kind = *kind, .size_bytes = size.value_or(0), .modified_at = found->date.time},
                  words.behind(found->at + found->date.words));
}

/// `1234`, `1,234` or `1.234`.
std::optional<std::uint64_t> size_of(std::string_view word) {
  std::string digits;
  for (std::size_t i = 0; i < word.size(); ++i) {
    const bool is_mark = (word.size() - i) % 4 == 0 && i > 0 && (word[i] == ',' || word[i] == '.');
    if (!is_mark) digits += word[i];
  }
  return parse_number<std::uint64_t>(digits);
}

/// `11-21-26  03:26PM  <DIR>  name`.
std::optional<FtpItem> parse_windows(std::string_view line) {
  const Words words(line);
  const auto date = windows_date(words.from(0));
  if (!date) return std::nullopt;
  FtpItem item;
  item.modified_at = date->time;
  const std::string_view size = words.at(date->words);
  std::string_view name = words.behind(date->words + 1);
  if (size == "<DIR>" || size == "<JUNCTION>" || size.starts_with("<SYMLINK")) {
    item.kind = size == "<DIR>" ? Kind::folder : Kind::link;
    // The column is wider than the mark.
    name.remove_prefix(std::min(name.find_first_not_of(' '), name.size()));
    return finished(std::move(item), name);
  }
  const auto bytes = size_of(size);
  if (!bytes) return std::nullopt;
  item.size_bytes = *bytes;
  return finished(std::move(item), name);
}

/// More than any file system takes: 255 UTF-16 units of NTFS are 765 bytes.
constexpr std::size_t kNameLimitBytes = 1024;

bool is_self(std::string_view line) {
  return line.starts_with('d') && line.ends_with(" .");
}

/// `total 12`, in whatever language.
bool is_total(std::string_view line) {
  const auto number = line.substr(line.find(' ') + 1);
  return number.size() < line.size() && !number.empty() &&
         number.find_first_not_of("0123456789") == number.npos;
}

/// Lines of LIST that are no items.
bool is_known(std::string_view line) {
  return is_total(line) || line.ends_with(" .") || line.ends_with(" ..");
}

/// More is nonsense.
constexpr std::size_t kUnreadLimitBytes = 1024 * 1024;

/// What a line of a listing tells; if `is_known` is false, nobody knows.
struct Line {
  std::optional<FtpItem> item = {};
  bool is_known = false;
  bool is_self = false;
  bool lacks_facts = false;
};

Line line_of_list(std::string_view line, Timestamp now) {
  auto item = parse_list_line(line, now);
  const bool is_item = item.has_value();
  return {.item = std::move(item), .is_known = is_item || is_known(line), .is_self = is_self(line)};
}

Line line_of_mlsd(std::string_view line) {
  auto told = parse_fact_line(line);
  const auto name = line.substr(line.find(' ') + 1);
  const bool is_known = told.item || told.is_self || name == "." || name == "..";
  return {std::move(told.item), is_known, told.is_self, told.lacks_facts};
}

void add_unread(std::string_view line, Listing& listing) {
  listing.has_more_unread = listing.has_more_unread || listing.unread.size() >= kUnreadLimitBytes;
  if (!listing.has_more_unread) listing.unread.append(line) += '\n';
}

void add(Line line, Listing& listing) {
  listing.saw_self = listing.saw_self || line.is_self;
  listing.lacks_facts = listing.lacks_facts || line.lacks_facts;
  if (line.item && is_sane_name(line.item->name)) {
    listing.items.push_back(*std::move(line.item));
  } else if (!line.is_known || (line.item && line.item->name != "." && line.item->name != "..")) {
    ++listing.left_out;
  }
}

template <class Parse>
Listing parse_lines(std::string_view text, CharacterSet set, Parse parse) {
  Listing listing;
  bool has_sense = false;
  for (const auto part : text | std::views::split('\n')) {
    std::string_view bytes(part.begin(), part.end());
    if (bytes.ends_with('\r')) bytes.remove_suffix(1);
    if (bytes.empty()) continue;
    const auto line = remote::from_server(set, bytes);
    if (!line) {
      add_unread(bytes, listing);
      ++listing.left_out;
      continue;
    }
    Line told = parse(*line);
    if (!told.is_known) add_unread(bytes, listing);
    has_sense = has_sense || told.is_known;
    listing.is_nonsense = listing.is_nonsense || !told.is_known;
    add(std::move(told), listing);
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

FactLine parse_fact_line(std::string_view line) {
  // The facts hold no space; the name may.
  const auto space = line.find(' ');
  if (space == line.npos || space + 1 == line.size()) return {};
  if (space > 0 && line[space - 1] != ';') return {};
  Facts facts;
  for (auto rest = line.substr(0, space); !rest.empty();) {
    const auto end = rest.find(';');
    note(facts, rest.substr(0, end));
    rest = end == rest.npos ? std::string_view() : rest.substr(end + 1);
  }
  if (equal_ignoring_case(facts.type, "cdir") || equal_ignoring_case(facts.type, "pdir")) {
    return {.is_self = true};
  }
  FtpItem item{.name = std::string(line.substr(space + 1)), .kind = kind_of(facts.type)};
  const auto size = parse_number<std::uint64_t>(facts.size);
  if (facts.type.empty() || (item.kind == Kind::file && !size)) return {.lacks_facts = true};
  if (item.kind == Kind::file) item.size_bytes = *size;
  item.modified_at = parse_time_value(facts.modify).value_or(Timestamp());
  return {.item = std::move(item)};
}

std::optional<FtpItem> parse_facts(std::string_view line) {
  return parse_fact_line(line).item;
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

Listing parse_mlsd(std::string_view text, CharacterSet set) {
  return parse_lines(text, set, &line_of_mlsd);
}

Listing parse_list(std::string_view text, Timestamp now, CharacterSet set) {
  return parse_lines(text, set, [now](std::string_view line) { return line_of_list(line, now); });
}

}  // namespace coffer::ftp
