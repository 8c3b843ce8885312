#include "backends/ftp/listing.h"

#include <ranges>

#include "base/path.h"

namespace coffer::ftp {
namespace {

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

/// What stands in a listing beside items.
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
