#include "backends/local/reclaimer.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include <cerrno>
#include <system_error>

#include "backends/local/folder_scan.h"
#include "backends/local/staging.h"
#include "base/log.h"

namespace coffer::local {
namespace {

// From linux/ioprio.h, which C++ cannot read in this kernel's version.
constexpr int kIoPriorityOfProcess = 1;
constexpr int kIoPriorityIdle = 3 << 13;

/// Lets every other thread go first. Failing to is harmless.
void lower_priority() {
  const auto thread = static_cast<id_t>(::gettid());
  ::setpriority(PRIO_PROCESS, thread, 19);
  ::syscall(SYS_ioprio_set, kIoPriorityOfProcess, thread, kIoPriorityIdle);
}

/// 0 if it was moved. A folder that its owner may not write into cannot be moved either.
int move_up(int from, const char* name, int to, const char* new_name) {
  if (::renameat(from, name, to, new_name) == 0) return 0;
  if (errno != EACCES || ::fchmodat(from, name, 0700, AT_SYMLINK_NOFOLLOW) != 0) return -1;
  return ::renameat(from, name, to, new_name);
}

}  // namespace

Reclaimer::Reclaimer(int folder) : folder_(folder), thread_([this] { work(); }) {}

void Reclaimer::add(std::string name) {
  const std::lock_guard lock(mutex_);
  names_.push_back(std::move(name));
  changed_.notify_all();
}

void Reclaimer::close(Handle handle) {
  const std::lock_guard lock(mutex_);
  handles_.push_back(std::move(handle));
  changed_.notify_all();
}

void Reclaimer::wait() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return names_.empty() && handles_.empty() && !busy_; });
}

void Reclaimer::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    changed_.notify_all();
  }
  if (thread_.joinable()) thread_.join();
}

void Reclaimer::work() {
  lower_priority();
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return stopping_ || !names_.empty() || !handles_.empty(); });
    if (stopping_) return;
    std::vector<Handle> closing = std::move(handles_);
    handles_.clear();
    std::string name;
    if (!names_.empty()) {
      name = std::move(names_.front());
      names_.pop_front();
    }
    busy_ = true;
    lock.unlock();
    closing.clear();
    if (!name.empty()) remove(name);
    lock.lock();
    busy_ = false;
    changed_.notify_all();
  }
}

void Reclaimer::remove(const std::string& name) {
  if (::unlinkat(folder_, name.c_str(), 0) == 0 || errno == ENOENT) return;
  if (errno == EISDIR || errno == EPERM) {
    empty_folder(name);
    if (::unlinkat(folder_, name.c_str(), AT_REMOVEDIR) == 0) return;
  }
  const int code = errno;
  {
    const std::lock_guard lock(mutex_);
    if (stopping_) return;
  }
  spdlog::error("removed content could not be reclaimed, its space stays taken: {}",
                std::generic_category().message(code));
}

void Reclaimer::empty_folder(const std::string& name) {
  constexpr int kFlags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
  // A folder that its owner may not read or write cannot be emptied either.
  ::fchmodat(folder_, name.c_str(), 0700, AT_SYMLINK_NOFOLLOW);
  const Handle folder(::openat(folder_, name.c_str(), kFlags));
  if (!folder) return;
  FolderScan scan(folder.get());
  while (const FolderScan::Entry* item = scan.next()) {
    if (item->type != DT_DIR && ::unlinkat(folder.get(), item->name, 0) == 0) continue;
    std::string above = Staging::new_name();
    const int moved = move_up(folder.get(), item->name, folder_, above.c_str());
    const std::lock_guard lock(mutex_);
    if (moved == 0) names_.push_back(std::move(above));
    if (stopping_) return;
  }
}

}  // namespace coffer::local
