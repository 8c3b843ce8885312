#include "core/search/name_pattern.h"

#include <algorithm>

#include "base/folding.h"

namespace coffer::core {
namespace {

std::size_t next_character(std::string_view text, std::size_t at) {
  ++at;
  while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80) ++at;
  return at;
}

/// Goes back to the last `*` alone, so that it takes no longer than the product of the lengths.
bool fits(std::string_view pattern, std::string_view name) {
  std::size_t p = 0;
  std::size_t n = 0;
  std::size_t star = std::string_view::npos;
  std::size_t resume = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resume = n;
    } else if (p < pattern.size() && pattern[p] == '?') {
      ++p;
      n = next_character(name, n);
    } else if (p < pattern.size() && pattern[p] == name[n]) {
      ++p;
      ++n;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      resume = next_character(name, resume);
      n = resume;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

}  // namespace

NamePattern::NamePattern(std::string_view text)
    : has_wildcards_(text.find_first_of("*?") != std::string_view::npos) {
  fold(text, folded_);
}

std::string_view NamePattern::part() const {
  std::string_view longest;
  std::string_view rest = folded_;
  while (!rest.empty()) {
    const auto size = std::min(rest.find_first_of("*?"), rest.size());
    if (size > longest.size()) longest = rest.substr(0, size);
    rest.remove_prefix(std::min(size + 1, rest.size()));
  }
  return longest;
}

bool NamePattern::matches(std::string_view name) const {
  thread_local std::string folded;
  fold(name, folded);
  return folded.find(folded_) != std::string::npos || (has_wildcards_ && fits(folded_, folded));
}

}  // namespace coffer::core
