#include "core/search/name_pattern.h"

#include <utf8proc.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

namespace coffer::core {
namespace {

bool is_ascii(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
}

struct Free {
  void operator()(utf8proc_uint8_t* memory) const { std::free(memory); }
};

/// Into memory that is used again: most names need no more.
void fold(std::string_view text, std::string& out) {
  out.clear();
  if (!is_ascii(text)) {
    utf8proc_uint8_t* folded = nullptr;
    const auto options =
        static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_CASEFOLD);
    const auto size = utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                                   static_cast<utf8proc_ssize_t>(text.size()), &folded, options);
    const std::unique_ptr<utf8proc_uint8_t, Free> owner(folded);
    if (size >= 0) {
      out.assign(reinterpret_cast<const char*>(folded), static_cast<std::size_t>(size));
      return;
    }
  }
  out.resize(text.size());
  std::ranges::transform(text, out.begin(), &lower);
}

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
    : is_whole_(text.find_first_of("*?") != std::string_view::npos) {
  fold(text, folded_);
}

bool NamePattern::matches(std::string_view name) const {
  thread_local std::string folded;
  fold(name, folded);
  return is_whole_ ? fits(folded_, folded) : folded.find(folded_) != std::string::npos;
}

}  // namespace coffer::core
