#pragma once

#include <functional>

namespace coffer::local {

/// For tests: stands between the program and its disks while it lives. One at a time.
class SyncCalls {
 public:
  enum class Kind { file, data, disk };  ///< fsync(2), fdatasync(2), syncfs(2).
  /// Asked before each call; an errno that the call is to fail with, or 0.
  using Hook = std::function<int(Kind kind, int descriptor)>;

  explicit SyncCalls(Hook hook);
  ~SyncCalls();
  SyncCalls(const SyncCalls&) = delete;
  SyncCalls& operator=(const SyncCalls&) = delete;
};

}  // namespace coffer::local
