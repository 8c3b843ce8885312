#include "backends/local/local_store.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <string>
#include <utility>

#include "backends/local/earlier_log.h"
#include "backends/local/errno_error.h"
#include "backends/local/folder_watches.h"
#include "backends/local/staging.h"
#include "base/disk.h"
#include "base/log.h"
#include "storage/partial_name.h"

namespace coffer::local {

Result<std::unique_ptr<LocalStore>> LocalStore::open(StoreOptions options, Pool& pool) {
  if (options.recovers) {
    TRY_VOID(recover_earlier_log(options.data));
  }
  std::unique_ptr<LocalStore> store(new LocalStore(std::move(options), pool));
  if (store->options_.recovers) {
    // Whoever fills the disk keeps nobody from reading, also behind a start.
    const auto made = store->shared_staging();
    if (!made && made.error().code != ErrorCode::disk_full) return failure_of(made);
    if (!made) {
      spdlog::error("accounts' own files can only be read until the disk of {} has room",
                    store->options_.data.string());
    }
  }
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

void LocalStore::close_behind(Handle handle) {
  reclaimer_->close(std::move(handle));
}

Result<std::shared_ptr<Staging>> LocalStore::shared_staging() {
  const std::lock_guard lock(mutex_);
  if (shared_staging_ && !shared_staging_->is_removed()) return shared_staging_;
  TRY(auto top, staging_top());
  TRY(shared_staging_, open_staging(std::move(top)));
  return shared_staging_;
}

Result<Handle> LocalStore::staging_top() const {
  const auto folder = options_.data / "staging";
  if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) return fail_with(errno);
  TRY(const int top, open_trusted_folder(folder));
  return Handle(top);
}

Result<std::shared_ptr<Staging>> LocalStore::staging_in(int root) {
  const std::string name(storage::kStagingFolder);
  if (::mkdirat(root, name.c_str(), 0700) != 0 && errno != EEXIST) return fail_with(errno);
  Opened top = open_beneath(root, name, O_RDONLY | O_DIRECTORY, kInPlace);
  if (top) return open_own_staging(std::move(*top));
  if (top.error() != ELOOP && top.error() != ENOTDIR && top.error() != EXDEV) {
    return fail_with(top.error());
  }
  return fail(ErrorCode::forbidden, "Nothing can be changed here until an administrator removes " +
                                        name + " at the top of it: it is a link, file or mount.");
}

/// Another user could read what is collected in a folder of his, and take it away.
Result<std::shared_ptr<Staging>> LocalStore::open_own_staging(Handle top) {
  const Handle folder(::fcntl(top.get(), F_DUPFD_CLOEXEC, 0));
  TRY(auto opened, open_staging(std::move(top)));
  if (!opened->is_ours()) {
    return fail(ErrorCode::forbidden,
                "Nothing can be changed here until an administrator removes " +
                    std::string(storage::kStagingFolder) +
                    " at the top of it: it belongs to another user.");
  }
  // One that a person made may be open to others. Some file systems have one mode for all.
  ::fchmod(folder.get(), 0700);
  return opened;
}

Result<std::shared_ptr<Staging>> LocalStore::open_staging(Handle top) {
  TRY(auto opened, Staging::open(std::move(top), options_.allowed, *reclaimer_));
  if (options_.recovers) opened->sweep();
  return opened;
}

std::shared_ptr<std::shared_mutex> LocalStore::steps_on(
    std::pair<std::uint32_t, std::uint32_t> device) {
  const std::lock_guard lock(mutex_);
  std::weak_ptr<std::shared_mutex>& known = steps_[device];
  auto steps = known.lock();
  if (!steps) known = steps = std::make_shared<std::shared_mutex>();
  return steps;
}

}  // namespace coffer::local
