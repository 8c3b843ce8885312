#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/error.h"

namespace coffer {

/// A lock on a file (flock(2)), which the kernel gives back when the process ends, however it ends.
/// The file stays. The holder of the exclusive lock writes into it what it is.
class LockFile {
 public:
  enum class Mode {
    alone,   ///< No other process holds it in any mode.
    shared,  ///< No other process holds it alone.
  };

  /// Makes the file (0600) where it is missing and locks it at once; nothing if another process
  /// holds the lock, `failed` if the file cannot be opened or written. `holder` is for others to
  /// read, in a line that says since when too.
  static Result<std::optional<LockFile>> take(const std::filesystem::path& file, Mode mode,
                                              const std::string& holder = {});
  /// What the holder wrote; empty if nothing can be read.
  static std::string holder_of(const std::filesystem::path& file);

  ~LockFile();
  LockFile(LockFile&& other) noexcept : file_(std::exchange(other.file_, -1)) {}
  LockFile& operator=(LockFile&&) = delete;

 private:
  explicit LockFile(int file) : file_(file) {}
  int file_;
};

/// This process as a `holder`: "coffer serve, process 7 on host".
std::string lock_holder(std::string_view command);

}  // namespace coffer
