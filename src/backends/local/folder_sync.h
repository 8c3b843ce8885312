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

/// Syncs folders for many callers together: all that ask while an fsync of a folder runs share the
/// next one, and no thread waits meanwhile. Safe from any thread.
class FolderSync {
 public:
  using Done = std::move_only_function<void(int error)>;

  /// Calls `done`, with an errno or 0, when every change of the folder before this call is on the
  /// disk: within this call, which then blocks, or on a thread that syncs the folder already. The
  /// handle may be an O_PATH one and must stay open until then.
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
    std::map<Identity, std::vector<Waiter>> waiting;  ///< Of the folders that are being synced.
  };
  /// Kept by the thread that runs turns: once the last waiter was called, this object may be gone.
  std::shared_ptr<Turns> turns_ = std::make_shared<Turns>();
};

}  // namespace coffer::local
