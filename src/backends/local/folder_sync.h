#pragma once

#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <utility>

#include "base/error.h"

namespace coffer::local {

/// Makes changes of folders safe from a crash, sharing the work: whoever asks while an fsync of the
/// folder runs is served by the next one, however many they are. Safe from any thread.
class FolderSync {
 public:
  /// Returns when every change of the folder that was made before this call is on the disk. Blocks.
  /// The handle may be an O_PATH one.
  Result<void> sync(int folder);

 private:
  struct Turn {
    std::uint64_t begun = 0;
    std::uint64_t ended = 0;
    std::uint64_t failed = 0;  ///< The last turn that failed, and how.
    int error = 0;
    int waiting = 0;
    bool running = false;
  };
  using Key = std::pair<std::uint64_t, std::uint64_t>;  ///< Device and inode.

  std::mutex mutex_;
  std::condition_variable ended_;
  std::map<Key, Turn> turns_;
};

}  // namespace coffer::local
