#include "backends/local/folder_sync.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "backends/local/errno_error.h"
#include "backends/local/handle.h"
#include "backends/local/status.h"

namespace coffer::local {
namespace {

int sync_errno(int folder) {
  const Handle readable(::openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!readable) return errno;
  if (::fsync(readable.get()) == 0) return 0;
  // Some network and FUSE file systems have no such step for folders.
  const bool is_unknown = errno == EINVAL || errno == ENOSYS || errno == EOPNOTSUPP;
  return is_unknown ? 0 : errno;
}

}  // namespace

Result<void> FolderSync::sync_here(int folder) {
  if (const int error = sync_errno(folder); error != 0) return fail_with(error);
  return {};
}

void FolderSync::sync(int folder, Done done) {
  const auto status = status_of(folder, STATX_INO);
  if (!status) return done(status.error());
  const Identity identity{status->stx_dev_major, status->stx_dev_minor, status->stx_ino};
  const auto turns = turns_;
  if (!turns->joins(identity, {folder, std::move(done)})) turns->run(identity);
}

// Adds the waiter; true if a thread runs turns for the folder.
bool FolderSync::Turns::joins(const Identity& folder, Waiter waiter) {
  const std::lock_guard lock(mutex);
  const auto [place, is_new] = waiting.try_emplace(folder);
  place->second.push_back(std::move(waiter));
  return !is_new;
}

void FolderSync::Turns::run(const Identity& folder) {
  while (true) {
    std::vector<Waiter> served;
    {
      const std::lock_guard lock(mutex);
      const auto place = waiting.find(folder);
      served.swap(place->second);
      if (served.empty()) {
        waiting.erase(place);
        return;
      }
    }
    const int error = sync_errno(served.front().folder);
    for (Waiter& waiter : served) waiter.done(error);
  }
}

}  // namespace coffer::local
