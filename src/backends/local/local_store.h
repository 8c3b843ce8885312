#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <utility>

#include "async/pool.h"
#include "base/error.h"

namespace coffer::local {

class FolderWatches;
class Reclaimer;
class Staging;

struct StoreOptions {
  /// The data folder. If it is set, the store recovers or removes content that earlier processes
  /// left in it and in staging folders, so no other process may use the data folder. Empty in a
  /// command that runs beside a Coffer server.
  std::filesystem::path data = {};
  /// If true, folders are watched with inotify(7). If false, each is checked every second.
  bool kernel_notices = true;
};

/// The state that all local backends of a process share: the open staging folders, the thread that
/// deletes removed content, and the watches of folders. Safe from any thread.
class LocalStore {
 public:
  /// Opens a store. If `options.data` is set, first calls recover_earlier_log and opens the staging
  /// folder in the data folder; fails if one of them fails. `pool` must outlive the store.
  static Result<std::unique_ptr<LocalStore>> open(StoreOptions options, Pool& pool);
  /// All backends must have been destroyed before.
  ~LocalStore();

  /// Blocks until all content that was removed or discarded so far is deleted from the disk.
  void wait_reclaimed();

  // These functions are for backends.

  Pool& pool() { return pool_; }
  FolderWatches& watches() { return *watches_; }
  /// Returns the open staging folder at `path`, which all callers share; see Staging::open. If
  /// StoreOptions::data is set, also calls Staging::sweep for a newly opened folder.
  Result<std::shared_ptr<Staging>> staging(const std::filesystem::path& path, bool unnamed_files);
  /// Returns the lock that all shared folders on the file system `device` use for changes of names;
  /// see Volume::steps.
  std::shared_ptr<std::shared_mutex> steps_on(std::pair<std::uint32_t, std::uint32_t> device);

 private:
  LocalStore(StoreOptions options, Pool& pool);
  std::shared_ptr<Staging> known_staging(const std::filesystem::path& path);

  const StoreOptions options_;
  Pool& pool_;
  const std::unique_ptr<Reclaimer> reclaimer_;
  const std::unique_ptr<FolderWatches> watches_;
  std::mutex mutex_;
  std::map<std::filesystem::path, std::weak_ptr<Staging>> stagings_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::weak_ptr<std::shared_mutex>> steps_;
  std::shared_ptr<Staging> shared_staging_;
};

}  // namespace coffer::local
