#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <utility>
#include <vector>

#include "async/pool.h"
#include "base/error.h"

namespace coffer::local {

class ContentLog;
class FolderWatches;
class Reclaimer;
class Staging;
struct LocalOptions;

struct StoreOptions {
  /// Where the log of small contents lies, which is made if it is missing (0700). Empty, for those
  /// that may run beside a server: there is none, and nothing is recovered or swept.
  std::filesystem::path log = {};
  /// The installation's folder: what is beneath it is found again when all of it is moved.
  std::filesystem::path base = {};
  std::filesystem::path staging = {};  ///< That of roots beneath the base; it stays open.
  /// How long files may stand in the log alone: a crash of the machine takes them until the next
  /// start writes them again.
  std::chrono::steady_clock::duration checkpoint_after = std::chrono::seconds(5);
  /// The kernel tells of changed folders; else each is looked at once a second.
  bool kernel_notices = true;
  /// Which run of the machine this is, by which a crash of it is recognised; the kernel's if empty.
  std::string boot = {};
};

/// What all local backends of a process share: the log that makes small files safe, the staging
/// folders that are open, and the thread that reclaims. Safe from any thread.
class LocalStore {
 public:
  /// A root and its own staging folder, where an earlier version may have left a log.
  struct Earlier {
    std::filesystem::path root;
    std::filesystem::path staging;
  };
  /// Recovers what the log of a process that is gone tells, for every root that it names. At the
  /// first start with a log, that is when its folder is missing, also what earlier versions left.
  /// `failed` where that cannot be written or the folder cannot be used. `pool` must outlive it.
  static Result<std::unique_ptr<LocalStore>> open(StoreOptions options, Pool& pool,
                                                  const std::vector<Earlier>& earlier = {});
  /// Brings everything to the disk. Backends must be gone.
  ~LocalStore();

  /// Returns when everything removed or discarded so far is reclaimed. Blocks.
  void wait_reclaimed();

  // For backends

  Pool& pool() { return pool_; }
  /// Whether roots with that staging folder are on the installation's disk, as the store is.
  bool is_own_staging(const std::filesystem::path& staging) const {
    return !staging.empty() && staging == options_.staging;
  }
  /// The log, if there is one and this folder's file system can do with it.
  ContentLog* log_for(int folder);
  FolderWatches& watches() { return *watches_; }
  /// The open staging folder, which all that ask for it share. What processes left there that are
  /// gone is reclaimed in the background, and before that an earlier version's log there is
  /// recovered into `root`.
  Result<std::shared_ptr<Staging>> staging(const std::filesystem::path& path, bool unnamed_files,
                                           int root);
  /// What those hold that change names in shared folders of that file system.
  std::shared_ptr<std::shared_mutex> steps_on(std::pair<std::uint32_t, std::uint32_t> device);
  /// To be called before a root is served: recovers what waits for it, or for a root in or above
  /// it, since that was not there at the start.
  Result<void> recover_waiting(int root);

 private:
  LocalStore(StoreOptions options, Pool& pool);
  Result<void> open_log(const std::vector<Earlier>& earlier);
  Result<void> recover_earlier(const Earlier& earlier);
  Result<void> recover(bool only_waiting);
  bool is_waited_for(int root);
  std::shared_ptr<Staging> known_staging(const std::filesystem::path& path);

  const StoreOptions options_;
  Pool& pool_;
  const std::unique_ptr<Reclaimer> reclaimer_;
  const std::unique_ptr<FolderWatches> watches_;
  std::unique_ptr<ContentLog> log_;
  std::mutex mutex_;
  std::map<std::filesystem::path, std::weak_ptr<Staging>> stagings_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::weak_ptr<std::shared_mutex>> steps_;
  std::shared_ptr<Staging> shared_staging_;
  std::mutex recovering_mutex_;  ///< Held while a disk is worked on; taken before the next.
  std::mutex waiting_mutex_;
  std::vector<std::filesystem::path> waiting_roots_;
};

}  // namespace coffer::local
