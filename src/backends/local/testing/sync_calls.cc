#include "backends/local/testing/sync_calls.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <memory>
#include <mutex>
#include <utility>

namespace coffer::local {
namespace {

using Kind = SyncCalls::Kind;

std::mutex hook_mutex;
std::shared_ptr<const SyncCalls::Hook> current_hook;

void set_hook(std::shared_ptr<const SyncCalls::Hook> hook) {
  const std::lock_guard lock(hook_mutex);
  current_hook = std::move(hook);
}

int call(Kind kind, long number, int descriptor) {
  std::unique_lock lock(hook_mutex);
  const auto hook = current_hook;
  lock.unlock();
  const int error = hook ? (*hook)(kind, descriptor) : 0;
  if (error == 0) return static_cast<int>(::syscall(number, descriptor));
  errno = error;
  return -1;
}

}  // namespace

SyncCalls::SyncCalls(Hook hook) {
  set_hook(std::make_shared<const Hook>(std::move(hook)));
}

SyncCalls::~SyncCalls() {
  set_hook(nullptr);
}

}  // namespace coffer::local

// The program's own, in place of the C library's.

extern "C" int fsync(int descriptor) {
  return coffer::local::call(coffer::local::Kind::file, SYS_fsync, descriptor);
}

extern "C" int fdatasync(int descriptor) {
  return coffer::local::call(coffer::local::Kind::data, SYS_fdatasync, descriptor);
}

extern "C" int syncfs(int descriptor) noexcept {
  return coffer::local::call(coffer::local::Kind::disk, SYS_syncfs, descriptor);
}
