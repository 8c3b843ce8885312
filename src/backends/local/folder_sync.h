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

/// Syncs folders to the disk for many callers. Calls that arrive during an fsync of a folder do not
/// block: they share the next fsync of that folder. Safe from any thread.
class FolderSync {
 public:
  using Done = std::move_only_function<void(int error)>;

  /// Syncs the folder, then calls `done`: with 0 if every change that was made before this call is
  /// on the disk, otherwise with an errno. If another thread is syncing the folder, that thread
  /// calls `done` later. Otherwise this call blocks and calls `done` itself. The descriptor may be
  /// an O_PATH one. It must stay open until `done` is called.
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
    std::map<Identity, std::vector<Waiter>> waiting;  ///< One entry for each folder being synced.
  };
  /// Also owned by a thread that is syncing, since the last `done` may destroy this FolderSync.
  std::shared_ptr<Turns> turns_ = std::make_shared<Turns>();
};

}  // namespace coffer::local
