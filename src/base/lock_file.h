#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/error.h"

namespace coffer {

/// A lock on a file (flock(2)). The destructor releases the lock; so does the kernel when the
/// process ends for any reason. The file itself stays. It contains a description of the last holder
/// of the exclusive lock.
class LockFile {
 public:
  enum class Mode {
    alone,   ///< Exclusive: no other process holds the lock in any mode.
    shared,  ///< No other process holds the lock exclusively.
  };

  /// Creates the file (mode 0600) if it is missing, and locks it without waiting. Returns nullopt
  /// if another process holds a conflicting lock. `failed` if the file cannot be opened, locked or
  /// written. In the mode `alone`, writes `holder` and the time into the file.
  static Result<std::optional<LockFile>> take(const std::filesystem::path& file, Mode mode,
                                              const std::string& holder = {});
  /// Returns the text that `take` wrote into the file; empty if the file cannot be read.
  static std::string holder_of(const std::filesystem::path& file);

  ~LockFile();
  LockFile(LockFile&& other) noexcept : file_(std::exchange(other.file_, -1)) {}
  LockFile& operator=(LockFile&&) = delete;

 private:
  explicit LockFile(int file) : file_(file) {}
  int file_;
};

/// Returns a description of this process for `take`, such as "coffer serve, process 7 on host".
std::string lock_holder(std::string_view command);

}  // namespace coffer
