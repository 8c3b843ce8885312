#include "backends/local/folder_sync.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

#include "backends/local/errno_error.h"
#include "backends/local/handle.h"
#include "backends/local/status.h"

namespace coffer::local {
namespace {

int sync_errno(int folder) {
  const Handle readable(::openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!readable) return errno;
  return ::fsync(readable.get()) == 0 ? 0 : errno;
}

}  // namespace

Result<void> FolderSync::sync(int folder) {
  const auto status = status_of(folder, STATX_INO);
  if (!status) return fail_with(status.error());
  const std::uint64_t device = (std::uint64_t{status->stx_dev_major} << 32) | status->stx_dev_minor;
  std::unique_lock lock(mutex_);
  const auto place = turns_.try_emplace(Key{device, status->stx_ino}).first;
  Turn& turn = place->second;
  const std::uint64_t mine = turn.begun + 1;
  ++turn.waiting;
  ended_.wait(lock, [&] { return turn.ended >= mine || !turn.running; });
  int error = 0;
  if (turn.ended < mine) {
    turn.running = true;
    const std::uint64_t number = ++turn.begun;
    lock.unlock();
    error = sync_errno(folder);
    lock.lock();
    turn.running = false;
    turn.ended = number;
    if (error != 0) {
      turn.failed = number;
      turn.error = error;
    }
    ended_.notify_all();
  } else if (turn.failed >= mine) {
    error = turn.error;
  }
  if (--turn.waiting == 0) turns_.erase(place);
  if (error != 0) return fail_with(error);
  return {};
}

}  // namespace coffer::local
