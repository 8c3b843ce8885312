#pragma once

#include <set>
#include <string>
#include <string_view>

namespace coffer::core {

/// The names at the top of an archive, none of them twice.
class ArchiveNames {
 public:
  /// The name itself, or with a number where it is taken: `photo (2).jpg`.
  std::string take_file(std::string_view name);
  /// The same, with the number behind all of it.
  std::string take_folder(std::string_view name);

 private:
  std::string take(std::string_view stem, std::string_view extension);

  std::set<std::string, std::less<>> taken_;
};

}  // namespace coffer::core
