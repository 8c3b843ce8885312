#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/error.h"

namespace coffer {

/// A lock on a file (flock(2)), which the kernel releases when the process ends, however it ends.
/// The file stays. The holder of an exclusive lock writes a description of itself into it.
class LockFile {
 public:
  enum class Mode {
    alone,   ///< No other process holds it in any mode.
    shared,  ///< No other process holds it alone.
  };

  /// Makes the file (0600) if it is missing and locks it without waiting. Nullopt if another
  /// process holds the lock, `failed` if the file cannot be opened or written. Writes `holder` and
  /// the time into the file.
  static Result<std::optional<LockFile>> take(const std::filesystem::path& file, Mode mode,
                                              const std::string& holder = {});
  /// The holder's description; empty if it cannot be read.
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
