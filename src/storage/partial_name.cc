#include "storage/partial_name.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/random.h"
#include "base/text.h"

namespace coffer::storage {
namespace {

constexpr std::string_view kReserved = ".coffer-";
constexpr std::string_view kPrefix = ".coffer-part-";
constexpr std::size_t kTagDigits = 9;
constexpr std::size_t kRandomBytes = 8;
constexpr std::size_t kDigits = kTagDigits + 2 * kRandomBytes;
constexpr std::size_t kAsideRandomBytes = 4;
constexpr std::size_t kLongestName = 255;

}  // namespace

std::string partial_name() {
  return fmt::format("{}{}{}", kPrefix, partial_tag(), random_hex(kRandomBytes));
}

const std::string& partial_tag() {
  static const std::string tag = random_hex(kTagDigits / 2 + 1).substr(0, kTagDigits);
  return tag;
}

std::string_view partial_tag_of(std::string_view name) {
  return is_partial_name(name) ? name.substr(kPrefix.size(), kTagDigits) : std::string_view();
}

bool is_partial_name(std::string_view name) {
  return name.starts_with(kPrefix) && is_hex(name.substr(kPrefix.size()), kDigits);
}

std::string partial_name_glob() {
  std::string glob(kPrefix);
  for (std::size_t digit = 0; digit < kDigits; ++digit) glob += "[0-9a-f]";
  return glob;
}

bool is_hidden_name(std::string_view name) {
  if (!equal_ignoring_case(name.substr(0, kReserved.size()), kReserved)) return false;
  const std::string plain = to_lower(name.substr(0, name.find_last_not_of(". ") + 1));
  return is_partial_name(plain) || plain == kStagingFolder || plain == kBinFolder ||
         plain == kFolderMarker || plain == kShareMark;
}

// Eight characters: the first letters after the dot, or two of them and four digits of a hash, and
// a number.
bool is_short_hidden_name(std::string_view name) {
  constexpr std::size_t kCharacters = 8;
  constexpr std::size_t kHashed = 2;
  constexpr std::size_t kHashDigits = 4;
  constexpr std::string_view kLetters = "coffer";
  const std::string plain = to_lower(name.substr(0, name.find_last_not_of(". ") + 1));
  const auto tilde = plain.find('~');
  if (plain.size() != kCharacters || tilde == std::string::npos || tilde < kHashed) return false;
  const std::string_view number = std::string_view(plain).substr(tilde + 1);
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  if (number.empty() || !std::ranges::all_of(number, is_digit)) return false;
  const std::string_view letters = std::string_view(plain).substr(0, tilde);
  if (kLetters.starts_with(letters)) return true;
  return letters.starts_with(kLetters.substr(0, kHashed)) &&
         is_hex(letters.substr(kHashed), kHashDigits);
}

std::string backup_name(std::string_view name) {
  const std::string tail = ".replaced-" + random_hex(kAsideRandomBytes);
  return std::string(cut_utf8(name, kLongestName - tail.size())) + tail;
}

}  // namespace coffer::storage
