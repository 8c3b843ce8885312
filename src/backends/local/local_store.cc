#include "backends/local/local_store.h"

#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

#include "backends/local/content_log.h"
#include "backends/local/errno_error.h"
#include "backends/local/fd_path.h"
#include "backends/local/folder_watches.h"
#include "backends/local/log_record.h"
#include "backends/local/log_recovery.h"
#include "backends/local/reclaimer.h"
#include "backends/local/staging.h"
#include "base/sync_folder.h"

namespace coffer::local {
namespace {

namespace fs = std::filesystem;

constexpr int kNoRoot = -1;

/// A log needs to know where files are, and a disk of this machine, on which a file is what it was
/// after a crash.
bool can_log(int folder) {
  struct statfs disk{};
  if (!fd_path(folder) || ::fstatfs(folder, &disk) != 0) return false;
  return disk.f_type == EXT4_SUPER_MAGIC || disk.f_type == XFS_SUPER_MAGIC ||
         disk.f_type == BTRFS_SUPER_MAGIC;
}

StoreOptions completed(StoreOptions options) {
  std::error_code error;
  if (options.boot.empty()) options.boot = this_boot();
  const auto base = fs::weakly_canonical(options.base, error);
  if (!error) options.base = base;
  return options;
}

}  // namespace

Result<std::unique_ptr<LocalStore>> LocalStore::open(StoreOptions options, Pool& pool,
                                                     const std::vector<Earlier>& earlier) {
  std::unique_ptr<LocalStore> store(new LocalStore(completed(std::move(options)), pool));
  if (auto opened = store->open_log(earlier); !opened) return failure_of(opened);
  return store;
}

LocalStore::LocalStore(StoreOptions options, Pool& pool)
    : options_(std::move(options)),
      pool_(pool),
      reclaimer_(std::make_unique<Reclaimer>()),
      watches_(std::make_unique<FolderWatches>(options_.kernel_notices)) {}

LocalStore::~LocalStore() = default;

void LocalStore::wait_reclaimed() {
  reclaimer_->wait();
}

Result<void> LocalStore::open_log(const std::vector<Earlier>& earlier) {
  if (options_.log.empty()) return {};
  if (!fs::exists(options_.log)) {
    for (const Earlier& one : earlier) {
      if (auto recovered = recover_earlier(one); !recovered) return recovered;
    }
    std::error_code made;
    fs::create_directories(options_.log.parent_path(), made);
    const bool is_made = ::mkdir(options_.log.c_str(), 0700) == 0;
    if (is_made ? !sync_new_folder(options_.log) : errno != EEXIST) return fail_with(errno);
  }
  if (auto recovered = recover(false); !recovered) return recovered;
  if (!options_.staging.empty()) {
    auto opened = staging(options_.staging, true, kNoRoot);
    if (!opened) return failure_of(opened);
    shared_staging_ = *std::move(opened);
  }
  Handle folder = open_top(options_.log);
  if (!folder) return fail_with(errno);
  if (options_.boot.empty() || !can_log(folder.get())) return {};
  log_ = std::make_unique<ContentLog>(
      std::move(folder),
      ContentLog::Options{options_.base.string(), options_.boot, options_.checkpoint_after});
  return {};
}

/// Where a root or a staging folder is missing there is nothing to be recovered.
Result<void> LocalStore::recover_earlier(const Earlier& earlier) {
  std::error_code error;
  if (!fs::is_directory(earlier.staging, error)) return {};
  const Handle root = open_top(earlier.root);
  if (!root) return {};
  const auto opened = staging(earlier.staging, true, root.get());
  if (!opened) return failure_of(opened);
  return {};
}

Result<void> LocalStore::recover(bool only_waiting) {
  auto waiting = recover_log(
      {options_.log, options_.base, options_.staging, options_.boot, only_waiting}, *reclaimer_);
  if (!waiting) return failure_of(waiting);
  const std::lock_guard lock(waiting_mutex_);
  waiting_roots_ = *std::move(waiting);
  return {};
}

Result<void> LocalStore::recover_waiting(int root) {
  if (!is_waited_for(root)) return {};
  const std::lock_guard one(recovering_mutex_);
  // Another may have done it meanwhile.
  return is_waited_for(root) ? recover(true) : Result<void>();
}

bool LocalStore::is_waited_for(int root) {
  const std::lock_guard lock(waiting_mutex_);
  if (waiting_roots_.empty()) return false;
  const auto path = fd_path(root);
  return path && std::ranges::any_of(waiting_roots_, [&](const fs::path& waiting) {
           return is_at_or_beneath(waiting.native(), *path) ||
                  is_at_or_beneath(*path, waiting.native());
         });
}

ContentLog* LocalStore::log_for(int folder) {
  return log_ && can_log(folder) ? log_.get() : nullptr;
}

// Opened without the mutex: a disk may not answer.
Result<std::shared_ptr<Staging>> LocalStore::staging(const fs::path& path, bool unnamed_files,
                                                     int root) {
  auto known = known_staging(path);
  if (known && known->stands_at(path)) return known;
  auto opened = Staging::open(path, unnamed_files, *reclaimer_);
  if (!opened) return failure_of(opened);
  std::shared_ptr<Staging> staging = *std::move(opened);
  if (!options_.log.empty()) {
    const auto left = staging->abandoned();
    if (root != kNoRoot) {
      auto recovered = recover_earlier_logs(root, *staging, left.folders, options_.boot);
      if (!recovered) return failure_of(recovered);
    }
    staging->sweep(left);
  }
  const std::lock_guard lock(mutex_);
  std::erase_if(stagings_, [](const auto& known) { return known.second.expired(); });
  stagings_.insert_or_assign(path, staging);
  return staging;
}

std::shared_ptr<std::shared_mutex> LocalStore::steps_on(
    std::pair<std::uint32_t, std::uint32_t> device) {
  const std::lock_guard lock(mutex_);
  std::weak_ptr<std::shared_mutex>& known = steps_[device];
  auto steps = known.lock();
  if (!steps) known = steps = std::make_shared<std::shared_mutex>();
  return steps;
}

std::shared_ptr<Staging> LocalStore::known_staging(const fs::path& path) {
  const std::lock_guard lock(mutex_);
  const auto found = stagings_.find(path);
  return found == stagings_.end() ? nullptr : found->second.lock();
}

}  // namespace coffer::local
