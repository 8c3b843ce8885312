#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "async/pool.h"
#include "async/task.h"
#include "backends/local/handle.h"
#include "base/error.h"

namespace coffer::local {

/// Makes changes of folders safe from a crash, sharing the work: whoever asks while an fsync of the
/// folder runs is served by the next one, however many they are, and no thread waits meanwhile.
/// Safe from any thread.
class FolderSync {
 public:
  explicit FolderSync(Pool& pool) : pool_(pool) {}

  /// Returns when every change of the folder that was made before this call is on the disk. The
  /// handle may be an O_PATH one.
  Task<Result<void>> sync(Handle folder);
  /// The same on the calling thread, sharing nothing. Blocks.
  static Result<void> sync_here(int folder);

 private:
  using Key = std::pair<std::uint64_t, std::uint64_t>;  ///< Device and inode.
  using Waiter = std::function<void(int error)>;
  struct Turn {
    Handle folder;
    std::vector<Waiter> waiting;
  };
  void wait_for_turn(const Key& key, Handle folder, Waiter waiter);
  void run_turns(Turn& turn, const Key& key);

  Pool& pool_;
  std::mutex mutex_;
  std::map<Key, Turn> turns_;  ///< Of the folders that are being synced.
};

}  // namespace coffer::local
