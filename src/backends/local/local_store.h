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
  /// The data folder, if no other process works in it: leftovers of earlier processes in it and in
  /// staging folders are then recovered or removed. Empty for commands that run beside a server.
  std::filesystem::path data = {};
  /// Folders are watched by the kernel; otherwise each is checked once a second.
  bool kernel_notices = true;
};

/// Shared by all local backends of a process: the open staging folders, the thread that reclaims,
/// and the watches of folders. Safe from any thread.
class LocalStore {
 public:
  /// Reads first the log that an earlier version left (earlier_log.h), and fails as that does.
  /// `pool` must outlive it.
  static Result<std::unique_ptr<LocalStore>> open(StoreOptions options, Pool& pool);
  /// Backends must be gone.
  ~LocalStore();

  /// Returns when everything removed or discarded so far is reclaimed. Blocks.
  void wait_reclaimed();

  // For backends

  Pool& pool() { return pool_; }
  FolderWatches& watches() { return *watches_; }
  /// The open staging folder, shared by all callers. Leftovers of earlier processes in it are
  /// reclaimed in the background.
  Result<std::shared_ptr<Staging>> staging(const std::filesystem::path& path, bool unnamed_files);
  /// The lock for changes of names in all shared folders of that file system.
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
