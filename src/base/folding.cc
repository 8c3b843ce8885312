#include "base/folding.h"

#include <utf8proc.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace coffer {
namespace {

using Character = utf8proc_int32_t;

/// First and last. Not all of Unicode's marks: vowel signs of Hindi and Thai are letters to people.
constexpr std::pair<Character, Character> kMarks[] = {
    {0x0300, 0x036F}, {0x0591, 0x05C7}, {0x064B, 0x065F}, {0x0670, 0x0670}, {0x1AB0, 0x1AFF},
    {0x1DC0, 0x1DFF}, {0x20D0, 0x20FF}, {0x3099, 0x309A}, {0xFE20, 0xFE2F}};

/// Letters that Unicode does not take apart.
constexpr std::pair<Character, const char*> kLetters[] = {
    {0x00E6, "ae"}, {0x00F0, "d"}, {0x00F8, "o"}, {0x0111, "d"},
    {0x0127, "h"},  {0x0131, "i"}, {0x0142, "l"}, {0x0153, "oe"}};

bool is_ascii(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
}

void append(std::string& out, Character character) {
  const auto covers = [&](const auto& range) {
    return range.first <= character && character <= range.second;
  };
  if (std::ranges::any_of(kMarks, covers)) return;
  const auto letter =
      std::ranges::find(kLetters, character, [](const auto& one) { return one.first; });
  if (letter != std::end(kLetters)) {
    out += letter->second;
    return;
  }
  std::array<utf8proc_uint8_t, 4> bytes;
  const auto size = utf8proc_encode_char(character, bytes.data());
  out.append(reinterpret_cast<const char*>(bytes.data()), static_cast<std::size_t>(size));
}

struct Free {
  void operator()(utf8proc_uint8_t* text) const { std::free(text); }
};

/// Into memory that is used again. Empty if the text is not UTF-8.
std::span<const Character> decomposed(std::string_view text) {
  constexpr auto kOptions =
      static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_DECOMPOSE | UTF8PROC_CASEFOLD);
  thread_local std::vector<Character> characters;
  for (;;) {
    const auto size =
        utf8proc_decompose(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                           static_cast<utf8proc_ssize_t>(text.size()), characters.data(),
                           static_cast<utf8proc_ssize_t>(characters.size()), kOptions);
    if (size < 0) return {};
    const auto needed = static_cast<std::size_t>(size);
    if (needed <= characters.size()) return std::span(characters).first(needed);
    characters.resize(needed);
  }
}

}  // namespace

void fold(std::string_view text, std::string& out) {
  out.clear();
  const auto characters = is_ascii(text) ? std::span<const Character>() : decomposed(text);
  for (const Character character : characters) append(out, character);
  if (!characters.empty()) return;
  out.resize(text.size());
  std::ranges::transform(text, out.begin(), &lower);
}

std::string fold_name(std::string_view name) {
  const std::string ended(name);
  const std::unique_ptr<utf8proc_uint8_t, Free> plain(
      utf8proc_NFKC_Casefold(reinterpret_cast<const utf8proc_uint8_t*>(ended.c_str())));
  std::string folded;
  fold(plain ? reinterpret_cast<const char*>(plain.get()) : ended, folded);
  std::erase_if(folded, [](char c) { return static_cast<unsigned char>(c) <= ' '; });
  return folded;
}

}  // namespace coffer
