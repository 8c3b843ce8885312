#pragma once

#include <filesystem>
#include <system_error>

#include "base/random.h"

namespace coffer {

/// An empty folder below the temporary folder. The destructor deletes it with all that is in it.
class ScratchFolder {
 public:
  ScratchFolder() { std::filesystem::create_directory(path_); }
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  const std::filesystem::path path_ =
      std::filesystem::temp_directory_path() / ("coffer-test-" + random_hex(8));
};

}  // namespace coffer
