#include "core/archive/archive_names.h"

#include <fmt/format.h>

#include <functional>

#include "base/path.h"

namespace coffer::core {

std::string ArchiveNames::take_file(std::string_view name) {
  const std::string_view extension = extension_of(name);
  return take(name.substr(0, name.size() - extension.size()), extension);
}

std::string ArchiveNames::take_folder(std::string_view name) {
  return take(name, {});
}

std::string ArchiveNames::take(std::string_view stem, std::string_view extension) {
  std::string name = fmt::format("{}{}", stem, extension);
  for (int number = 2; !taken_.insert(name).second; ++number) {
    name = fmt::format("{} ({}){}", stem, number, extension);
  }
  return name;
}

}  // namespace coffer::core
