#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <utility>

#include "async/pool.h"
#include "backends/local/abilities.h"
#include "backends/local/handle.h"
#include "base/error.h"

namespace coffer::local {

class FolderWatches;
class Reclaimer;
class Staging;

struct StoreOptions {
  std::filesystem::path data = {};  ///< The data folder.
  /// The store recovers or removes content that earlier processes left in the data folder and in
  /// staging folders, so no other process may use the data folder.
  bool recovers = false;
  /// If true, folders are watched with inotify(7). If false, each is checked every second.
  bool kernel_notices = true;
  Abilities allowed = {};  ///< Steps on names that are used where the file system has them.
};

/// The state that all local backends of a process share: the data folder's staging folder, the
/// thread that deletes removed content, and the watches of folders. Safe from any thread.
class LocalStore {
 public:
  /// Opens a store. If `options.recovers`, first calls recover_earlier_log and opens the staging
  /// folder in the data folder; fails if one of them fails. `pool` must outlive the store.
  static Result<std::unique_ptr<LocalStore>> open(StoreOptions options, Pool& pool);
  /// All backends must have been destroyed before.
  ~LocalStore();

  /// Blocks until all content that was removed or discarded so far is deleted from the disk.
  void wait_reclaimed();

  // These functions are for backends.

  Pool& pool() { return pool_; }
  FolderWatches& watches() { return *watches_; }
  /// Closes the handle in the background: closing the last one of a large deleted file takes long.
  void close_behind(Handle handle);
  /// Returns the staging folder in the data folder, which all callers share. It stays open, and is
  /// made again if another program has removed it. `disk_full` as long as there is no room for it.
  Result<std::shared_ptr<Staging>> shared_staging();
  /// Returns the folder that shared_staging makes its own in.
  Result<Handle> staging_top() const;
  /// Opens the staging folder in an open root, and creates it if it is missing (mode 0700).
  /// `forbidden` if a link, a file or a mount is in its place, which could lead to files of others,
  /// or if it belongs to another user.
  Result<std::shared_ptr<Staging>> staging_in(int root);
  /// Returns the lock that all shared folders on the file system `device` use for changes of names;
  /// see Volume::steps.
  std::shared_ptr<std::shared_mutex> steps_on(std::pair<std::uint32_t, std::uint32_t> device);

 private:
  LocalStore(StoreOptions options, Pool& pool);
  Result<std::shared_ptr<Staging>> open_own_staging(Handle top);
  /// If StoreOptions::recovers, also calls Staging::sweep.
  Result<std::shared_ptr<Staging>> open_staging(Handle top);

  const StoreOptions options_;
  Pool& pool_;
  const std::unique_ptr<Reclaimer> reclaimer_;
  const std::unique_ptr<FolderWatches> watches_;
  std::mutex mutex_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::weak_ptr<std::shared_mutex>> steps_;
  std::shared_ptr<Staging> shared_staging_;
};

}  // namespace coffer::local
