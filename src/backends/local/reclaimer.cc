#include "backends/local/reclaimer.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include <cerrno>
#include <system_error>

#include "backends/local/folder_scan.h"
#include "backends/local/staging_name.h"
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

Reclaimer::Reclaimer() : thread_([this] { work(); }) {}

Reclaimer::~Reclaimer() {
  {
    const std::lock_guard lock(mutex_);
    is_stopping_ = true;
    is_interrupted_ = true;
    changed_.notify_all();
  }
  thread_.join();
}

void Reclaimer::add(int folder, std::string name) {
  const std::lock_guard lock(mutex_);
  items_.push_back({folder, std::move(name)});
  changed_.notify_all();
}

void Reclaimer::close(Handle handle) {
  const std::lock_guard lock(mutex_);
  handles_.push_back(std::move(handle));
  changed_.notify_all();
}

void Reclaimer::wait() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return items_.empty() && handles_.empty() && !is_busy_; });
}

void Reclaimer::leave(int folder) {
  std::unique_lock lock(mutex_);
  std::erase_if(items_, [&](const Item& item) { return item.folder == folder; });
  if (working_in_ == folder) is_interrupted_ = true;
  changed_.wait(lock, [&] { return working_in_ != folder; });
  std::erase_if(items_, [&](const Item& item) { return item.folder == folder; });
  changed_.notify_all();
}

void Reclaimer::work() {
  lower_priority();
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return is_stopping_ || !items_.empty() || !handles_.empty(); });
    if (is_stopping_) return;
    std::vector<Handle> closing = std::move(handles_);
    handles_.clear();
    Item item{kNoFolder, {}};
    if (!items_.empty()) {
      item = std::move(items_.front());
      items_.pop_front();
    }
    is_busy_ = true;
    is_interrupted_ = false;
    working_in_ = item.folder;
    lock.unlock();
    if (item.folder != kNoFolder) remove(item);
    lock.lock();
    working_in_ = kNoFolder;
    changed_.notify_all();
    lock.unlock();
    closing.clear();
    lock.lock();
    is_busy_ = false;
    changed_.notify_all();
  }
}

void Reclaimer::remove(const Item& item) {
  const char* name = item.name.c_str();
  if (::unlinkat(item.folder, name, 0) == 0 || errno == ENOENT) return;
  if (errno == EISDIR || errno == EPERM) {
    empty_folder(item);
    if (::unlinkat(item.folder, name, AT_REMOVEDIR) == 0) return;
  }
  const int code = errno;
  {
    const std::lock_guard lock(mutex_);
    if (is_interrupted_) return;
  }
  spdlog::error("removed content could not be reclaimed, its space stays taken: {}",
                std::generic_category().message(code));
}

void Reclaimer::empty_folder(const Item& item) {
  constexpr int kFlags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
  // A folder that its owner may not read or write cannot be emptied either.
  ::fchmodat(item.folder, item.name.c_str(), 0700, AT_SYMLINK_NOFOLLOW);
  const Handle folder(::openat(item.folder, item.name.c_str(), kFlags));
  if (!folder) return;
  FolderScan scan(folder.get());
  while (const FolderScan::Entry* entry = scan.next()) {
    if (entry->type != DT_DIR && ::unlinkat(folder.get(), entry->name, 0) == 0) continue;
    std::string above = new_staging_name();
    const int moved = move_up(folder.get(), entry->name, item.folder, above.c_str());
    const std::lock_guard lock(mutex_);
    if (moved == 0) items_.push_back({item.folder, std::move(above)});
    if (is_interrupted_) return;
  }
}

}  // namespace coffer::local
