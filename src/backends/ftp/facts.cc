#include <fmt/format.h>

#include "backends/ftp/listing.h"
#include "base/text.h"

namespace coffer::ftp {
namespace {

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

}  // namespace coffer::ftp
