#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"

namespace coffer::local {

/// Makes changes of folders safe from a crash, sharing the work: an fsync of a folder serves all
/// who wait for it, and begins when at least as many wait as are about to. No thread waits
/// meanwhile. Safe from any thread.
class FolderSync {
 public:
  using Done = std::move_only_function<void(int error)>;

  /// Says that a call of `sync` or `give_up` for the folder follows soon. A folder is told by any
  /// path to it: who uses another shares less.
  void expect(const std::string& folder);
  /// Calls `done`, with an errno or 0, when every change of the folder that was made before this
  /// call is on the disk. That happens here, which blocks, or on a thread that comes later. The
  /// handle may be an O_PATH one and must stay open until then.
  void sync(const std::string& folder, int handle, Done done);
  void give_up(const std::string& folder);
  /// The same as `sync` on the calling thread, sharing nothing. Blocks.
  static Result<void> sync_here(int folder);

 private:
  struct Waiter {
    int handle;
    Done done;
    int error;
  };
  static void serve(std::vector<Waiter> waiters);
  struct Folder {
    std::size_t expected = 0;
    std::vector<Waiter> waiting;
    bool runs = false;
    bool is_due() const { return !runs && !waiting.empty() && waiting.size() >= expected; }
  };
  struct Folders {
    std::mutex mutex;
    std::map<std::string, Folder> all;  ///< Where somebody waits or is about to.
  };
  static void arrive(Folders& folders, const std::string& name, std::optional<Waiter> waiter);

  /// Kept by who syncs: once the last waiter was told, this object may be gone.
  std::shared_ptr<Folders> folders_ = std::make_shared<Folders>();
};

}  // namespace coffer::local
