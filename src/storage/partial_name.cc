#include "storage/partial_name.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/random.h"
#include "base/text.h"

namespace coffer::storage {
namespace {

constexpr std::string_view kPrefix = ".coffer-part-";
constexpr std::size_t kTimeDigits = 9;  // Seconds since 1970, until the year 4147.
constexpr std::size_t kRandomBytes = 8;
constexpr std::size_t kDigits = kTimeDigits + 2 * kRandomBytes;
constexpr std::size_t kAsideRandomBytes = 4;
constexpr std::size_t kLongestName = 255;

bool is_hex_digit(char digit) {
  return (digit >= '0' && digit <= '9') || (digit >= 'a' && digit <= 'f');
}

}  // namespace

std::string partial_name() {
  const auto since = std::chrono::floor<std::chrono::seconds>(now()).time_since_epoch().count();
  return fmt::format("{}{:0{}x}{}", kPrefix, since, kTimeDigits, random_hex(kRandomBytes));
}

bool is_partial_name(std::string_view name) {
  return name.starts_with(kPrefix) && name.size() == kPrefix.size() + kDigits &&
         std::ranges::all_of(name.substr(kPrefix.size()), is_hex_digit);
}

std::string partial_name_glob() {
  std::string glob(kPrefix);
  for (std::size_t digit = 0; digit < kDigits; ++digit) glob += "[0-9a-f]";
  return glob;
}

bool is_hidden_name(std::string_view name) {
  return is_partial_name(name) || name == kStagingFolder || name == kFolderMarker;
}

std::optional<Timestamp> partial_since(std::string_view name) {
  if (!is_partial_name(name)) return std::nullopt;
  const auto digits = name.substr(kPrefix.size(), kTimeDigits);
  std::int64_t seconds = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), seconds, 16);
  return timestamp_of(seconds);
}

std::string backup_name(std::string_view name) {
  const std::string tail = ".replaced-" + random_hex(kAsideRandomBytes);
  return std::string(cut_utf8(name, kLongestName - tail.size())) + tail;
}

Path partial_beside(const Path& path) {
  return path.parent() / Path::parse(partial_name()).value();
}

Path backup_of(const Path& path) {
  return path.parent() / Path::parse(backup_name(path.name())).value();
}

}  // namespace coffer::storage
