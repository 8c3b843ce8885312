#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"

namespace coffer::moving {

/// What a folder of own files holds.
struct Survey {
  std::uint64_t files = 0;
  std::uint64_t folders = 0;  ///< Without the top.
  std::uint64_t bytes = 0;    ///< The sum of the files' sizes.
  /// The first of the items that a store of objects cannot hold, or that would be something else
  /// there: each is named, with what is wrong. At most kMostProblems.
  std::vector<std::string> problems;
  std::size_t problem_count = 0;

  static constexpr std::size_t kMostProblems = 10;
};

/// Looks at all items below a folder. These are problems: names that are not UTF-8 or that no
/// request can name, symbolic links, devices, sockets and pipes, files with several names in this
/// folder (hard links), what the process may not read, and folders that lie too deep. Leaves out
/// the staging folder. Blocks. `failed` if the folder cannot be read.
Result<Survey> survey_files(const std::filesystem::path& folder);

}  // namespace coffer::moving
