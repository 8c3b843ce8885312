#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <tuple>
#include <vector>

#include "base/error.h"

namespace coffer::local {

/// Syncs folders for many callers. All calls that arrive during an fsync of a folder share the next
/// fsync of that folder, and do not block. Safe from any thread.
class FolderSync {
 public:
  using Done = std::move_only_function<void(int error)>;

  /// Syncs the folder: calls `done` with 0 or an errno after every change that was made before this
  /// call is on the disk. If another thread is syncing the folder, that thread calls `done` later;
  /// otherwise this call blocks and calls `done` itself. The descriptor may be an O_PATH one. It
  /// must stay open until `done` is called.
  void sync(int folder, Done done);
  /// Syncs the folder on the calling thread. Blocks.
  static Result<void> sync_here(int folder);

 private:
  using Identity = std::tuple<std::uint32_t, std::uint32_t, std::uint64_t>;  ///< Device and inode.
  struct Waiter {
    int folder;
    Done done;
  };
  struct Turns {
    bool joins(const Identity& folder, Waiter waiter);
    void run(const Identity& folder);

    std::mutex mutex;
    std::map<Identity, std::vector<Waiter>> waiting;  ///< By folder that is being synced.
  };
  /// Shared with the thread that is syncing, since the last `done` may destroy this object.
  std::shared_ptr<Turns> turns_ = std::make_shared<Turns>();
};

}  // namespace coffer::local
