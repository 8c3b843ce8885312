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
struct LocalOptions;

struct StoreOptions {
  /// The data folder, if no other process works in it: what processes that are gone left there and
  /// in staging folders is recovered or removed. Empty for commands that run beside a server.
  std::filesystem::path data = {};
  /// The kernel tells of changed folders; else each is looked at once a second.
  bool kernel_notices = true;
};

/// What all local backends of a process share: the staging folders that are open, the thread that
/// reclaims, and the watches of folders. Safe from any thread.
class LocalStore {
 public:
  /// Recovers first what an earlier version left (earlier_log.h), and fails as that does.
  /// `pool` must outlive it.
  static Result<std::unique_ptr<LocalStore>> open(StoreOptions options, Pool& pool);
  /// Backends must be gone.
  ~LocalStore();

  /// Returns when everything removed or discarded so far is reclaimed. Blocks.
  void wait_reclaimed();

  // For backends

  Pool& pool() { return pool_; }
  FolderWatches& watches() { return *watches_; }
  /// The open staging folder, which all that ask for it share. What processes that are gone left
  /// there is reclaimed in the background.
  Result<std::shared_ptr<Staging>> staging(const std::filesystem::path& path, bool unnamed_files);
  /// What those hold that change names in shared folders of that file system.
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
