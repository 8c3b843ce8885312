#include "core/free_name.h"

#include <fmt/format.h>

#include <string_view>

#include "base/path.h"
#include "base/text.h"

namespace coffer::core {
namespace {

constexpr std::size_t kLongestNameBytes = 255;

std::string numbered(const std::string& name, int number) {
  const std::string_view extension = extension_of(name);
  const std::string tail = fmt::format(" ({}){}", number, extension);
  if (tail.size() >= kLongestNameBytes) return fmt::format("{} ({})", cut_utf8(name, 200), number);
  const std::string_view stem = std::string_view(name).substr(0, name.size() - extension.size());
  return std::string(cut_utf8(stem, kLongestNameBytes - tail.size())) + tail;
}

}  // namespace

std::string TakenNames::free_name_for(const std::string& name) {
  if (!taken_.contains(name)) return name;
  int& number = next_numbers_.try_emplace(name, 2).first->second;
  while (taken_.contains(numbered(name, number))) ++number;
  return numbered(name, number);
}

}  // namespace coffer::core
