#pragma once

#include <filesystem>
#include <utility>

#include "base/error.h"

namespace coffer::app {

/// Held while a server runs on a data folder, so that a second one does not start on it. The kernel
/// gives it back when the process ends, however it ends (flock(2)).
class InstanceLock {
 public:
  /// `failed` if another server holds it.
  static Result<InstanceLock> take(const std::filesystem::path& data);
  ~InstanceLock();
  InstanceLock(InstanceLock&& other) noexcept : file_(std::exchange(other.file_, -1)) {}
  InstanceLock& operator=(InstanceLock&&) = delete;

 private:
  explicit InstanceLock(int file) : file_(file) {}
  int file_;
};

}  // namespace coffer::app
