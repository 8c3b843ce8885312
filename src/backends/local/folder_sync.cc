#include "backends/local/folder_sync.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <tuple>
#include <utility>

#include "backends/local/errno_error.h"
#include "backends/local/handle.h"
#include "backends/local/status.h"

namespace coffer::local {
namespace {

using Identity = std::tuple<std::uint32_t, std::uint32_t, std::uint64_t>;

Identity identity_of(const Status& status) {
  return {status.stx_dev_major, status.stx_dev_minor, status.stx_ino};
}

int sync_errno(int folder) {
  const Handle readable(::openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!readable) return errno;
  return ::fsync(readable.get()) == 0 ? 0 : errno;
}

}  // namespace

Result<void> FolderSync::sync_here(int folder) {
  if (const int error = sync_errno(folder); error != 0) return fail_with(error);
  return {};
}

void FolderSync::expect(const std::string& folder) {
  const std::lock_guard lock(folders_->mutex);
  ++folders_->all[folder].expected;
}

void FolderSync::sync(const std::string& folder, int handle, Done done) {
  const auto kept = folders_;
  arrive(*kept, folder, Waiter{handle, std::move(done), 0});
}

void FolderSync::give_up(const std::string& folder) {
  const auto kept = folders_;
  arrive(*kept, folder, std::nullopt);
}

void FolderSync::serve(std::vector<Waiter> waiters) {
  // Another folder may have taken the path since it was first used.
  std::map<Identity, int> errors;
  for (Waiter& waiter : waiters) {
    const auto status = status_of(waiter.handle, STATX_INO);
    if (!status) {
      waiter.error = status.error();
      continue;
    }
    const auto [synced, is_new] = errors.try_emplace(identity_of(*status));
    if (is_new) synced->second = sync_errno(waiter.handle);
    waiter.error = synced->second;
  }
  for (Waiter& waiter : waiters) waiter.done(waiter.error);
}

void FolderSync::arrive(Folders& folders, const std::string& name, std::optional<Waiter> waiter) {
  std::unique_lock lock(folders.mutex);
  Folder& folder = folders.all[name];
  --folder.expected;
  if (waiter) folder.waiting.push_back(*std::move(waiter));
  while (folder.is_due()) {
    std::vector<Waiter> served = std::exchange(folder.waiting, {});
    folder.runs = true;
    lock.unlock();
    serve(std::move(served));
    lock.lock();
    folder.runs = false;
  }
  const bool is_over = folder.expected == 0 && folder.waiting.empty() && !folder.runs;
  if (is_over) folders.all.erase(name);
}

}  // namespace coffer::local
