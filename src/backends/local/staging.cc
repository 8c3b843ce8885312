#include "backends/local/staging.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <system_error>
#include <utility>
#include <vector>

#include "backends/local/errno_error.h"
#include "backends/local/folder_scan.h"
#include "backends/local/status.h"
#include "backends/local/tree_removal.h"
#include "base/log.h"
#include "storage/partial_name.h"

namespace coffer::local {
namespace {

// From linux/ioprio.h, which C++ cannot read in this kernel's version.
constexpr int kIoPriorityOfProcess = 1;
constexpr int kIoPriorityIdle = 3 << 13;

/// As long as more items and handles wait, they are deleted with normal priority too.
constexpr std::size_t kMostWaiting = 64;

/// Lets every other thread go first. Failing to is harmless.
void lower_priority() {
  const auto thread = static_cast<id_t>(::gettid());
  ::setpriority(PRIO_PROCESS, thread, 19);
  ::syscall(SYS_ioprio_set, kIoPriorityOfProcess, thread, kIoPriorityIdle);
}

}  // namespace

Reclaimer::Reclaimer() {
  behind_ = std::thread([this] {
    lower_priority();
    work(workers_[0], 0);
  });
  try {
    helper_ = std::thread([this] { work(workers_[1], kMostWaiting); });
  } catch (...) {
    stop();
    throw;
  }
}

Reclaimer::~Reclaimer() {
  stop();
}

void Reclaimer::stop() {
  {
    const std::lock_guard lock(mutex_);
    is_stopping_ = true;
    for (Worker& worker : workers_) worker.is_interrupted = true;
    changed_.notify_all();
  }
  for (std::thread* thread : {&behind_, &helper_}) {
    if (thread->joinable()) thread->join();
  }
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
  const auto is_done = [this] {
    return waiting() == 0 && std::ranges::none_of(workers_, &Worker::is_busy);
  };
  changed_.wait(lock, is_done);
}

void Reclaimer::leave(int folder) {
  std::unique_lock lock(mutex_);
  const auto is_in_it = [&](const auto& one) { return one.folder == folder; };
  std::erase_if(items_, is_in_it);
  for (Worker& worker : workers_) {
    if (is_in_it(worker)) worker.is_interrupted = true;
  }
  changed_.wait(lock, [&] { return std::ranges::none_of(workers_, is_in_it); });
  std::erase_if(items_, is_in_it);
  changed_.notify_all();
}

/// Works while more than `most_waiting` items and handles wait.
void Reclaimer::work(Worker& self, std::size_t most_waiting) {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [&] { return is_stopping_ || waiting() > most_waiting; });
    if (is_stopping_) return;
    Work work = take();
    self = {true, work.item.folder, false};
    lock.unlock();
    do_work(self, std::move(work));
    lock.lock();
    self.is_busy = false;
    changed_.notify_all();
  }
}

/// Call it with the mutex locked.
Reclaimer::Work Reclaimer::take() {
  Work work;
  work.handles = std::exchange(handles_, {});
  if (items_.empty()) return work;
  work.item = std::move(items_.front());
  items_.pop_front();
  return work;
}

void Reclaimer::do_work(Worker& self, Work work) {
  if (work.item.folder == kNoFolder) return;
  remove(self, work.item);
  const std::lock_guard lock(mutex_);
  self.folder = kNoFolder;
  changed_.notify_all();
}

bool Reclaimer::add_found(const Worker& self, std::string name) {
  const std::lock_guard lock(mutex_);
  items_.push_back({self.folder, std::move(name)});
  return !self.is_interrupted;
}

void Reclaimer::remove(const Worker& self, const Item& item) {
  const auto moved_up = [&](std::string name) { return add_found(self, std::move(name)); };
  const int code = remove_item(item.folder, item.name, moved_up);
  if (code == 0) return;
  {
    const std::lock_guard lock(mutex_);
    if (self.is_interrupted) return;
  }
  spdlog::error("removed content could not be deleted, so its space is not free: {}",
                std::generic_category().message(code));
}

namespace {

/// What begins so in the staging folder is a user's only copy.
constexpr std::string_view kSavedPrefix = "saved-";

constexpr int kFolderFlags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;

/// Makes a folder and locks it. Another process that sweeps may take it away between the two steps.
Opened make_locked(int top, const std::string& name) {
  if (::mkdirat(top, name.c_str(), 0700) != 0) return std::unexpected(errno);
  Handle folder(::openat(top, name.c_str(), kFolderFlags));
  if (!folder) return std::unexpected(errno);
  if (::flock(folder.get(), LOCK_EX | LOCK_NB) != 0) return std::unexpected(errno);
  if (const auto status = status_in(top, name.c_str(), kSizeMask); !status) {
    return std::unexpected(status.error());
  }
  return folder;
}

}  // namespace

Result<std::unique_ptr<Staging>> Staging::open(Handle top, const Abilities& allowed,
                                               Reclaimer& reclaimer) {
  constexpr int kTries = 10;
  for (int attempt = 1;; ++attempt) {
    std::string name = storage::partial_name();
    Opened own = make_locked(top.get(), name);
    if (own) {
      auto names = NameChanges::try_out(own->get(), allowed);
      if (!names) {
        ::unlinkat(top.get(), name.c_str(), AT_REMOVEDIR);
        return failure_of(names);
      }
      return std::unique_ptr<Staging>(
          new Staging(std::move(top), std::move(*own), std::move(name), *names, reclaimer));
    }
    const bool swept = own.error() == ENOENT || own.error() == EWOULDBLOCK;
    if (!swept || attempt == kTries) return fail_with(own.error());
  }
}

Staging::Staging(Handle top, Handle own, std::string own_name, NameChanges names,
                 Reclaimer& reclaimer)
    : top_(std::move(top)),
      own_(std::move(own)),
      own_name_(std::move(own_name)),
      names_(names),
      reclaimer_(reclaimer) {
  struct statfs status{};
  orders_data_ = ::fstatfs(own_.get(), &status) == 0 && status.f_type == EXT4_SUPER_MAGIC;
}

Staging::~Staging() {
  reclaimer_.leave(own_.get());
  // Fails where something remains to be reclaimed, which is what is wanted.
  ::unlinkat(top_.get(), own_name_.c_str(), AT_REMOVEDIR);
}

// Only in the folder itself an item gets what the folder gives. A crash between the two steps
// leaves it there, empty and hidden.
int Staging::take_in(int folder, const std::string& born, const std::string& name) const {
  return names_.rename_to_free({folder, born.c_str()}, ref(name));
}

Opened Staging::make_file(int folder, const std::string& name, mode_t mode) const {
  if (names_.has_unnamed_files()) {
    Handle file(::openat(folder, ".", O_WRONLY | O_TMPFILE | O_CLOEXEC, mode));
    if (!file) return std::unexpected(errno);
    if (const int error = names_.link_open(file.get(), ref(name))) return std::unexpected(error);
    return file;
  }
  const std::string born = storage::partial_name();
  constexpr int kFlags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
  Handle file(::openat(folder, born.c_str(), kFlags, mode));
  if (!file) return std::unexpected(errno);
  if (const int error = take_in(folder, born, name)) {
    ::unlinkat(folder, born.c_str(), 0);
    return std::unexpected(error);
  }
  return file;
}

Opened Staging::make_folder(int folder, const std::string& name, mode_t mode) const {
  const std::string born = storage::partial_name();
  if (::mkdirat(folder, born.c_str(), mode) != 0) return std::unexpected(errno);
  if (const int error = take_in(folder, born, name)) {
    ::unlinkat(folder, born.c_str(), AT_REMOVEDIR);
    return std::unexpected(error);
  }
  Handle made(::openat(own_.get(), name.c_str(), kFolderFlags));
  if (!made) return std::unexpected(errno);
  return made;
}

void Staging::save(const std::string& name, std::string_view file) {
  const std::string saved = std::string(kSavedPrefix) + name;
  const bool moved = ::renameat(own_.get(), name.c_str(), top_.get(), saved.c_str()) == 0;
  if (!moved) ::renameat(own_.get(), name.c_str(), own_.get(), saved.c_str());
  spdlog::error("the earlier content of \"{}\" could not be put back; it is kept as {}/{}", file,
                path(), moved ? saved : own_name_ + '/' + saved);
}

std::string Staging::path() const {
  return fd_path(top_.get()).value_or(std::string(storage::kStagingFolder));
}

bool Staging::is_removed() const {
  struct statx status{};
  constexpr int kFlags = AT_EMPTY_PATH | AT_STATX_DONT_SYNC;
  if (::statx(own_.get(), "", kFlags, STATX_NLINK, &status) != 0) return errno == ESTALE;
  return (status.stx_mask & STATX_NLINK) != 0 && status.stx_nlink == 0;
}

// As the file system tells it, which may map users.
bool Staging::has_our_owner(int folder) const {
  const auto status = status_of(folder, STATX_UID);
  const auto own = status_of(own_.get(), STATX_UID);
  return status && own && status->stx_uid == own->stx_uid;
}

/// False if the folder may still hold one.
bool Staging::move_up_saved(int folder) {
  FolderScan scan(folder);
  while (const FolderScan::Entry* item = scan.next()) {
    if (!std::string_view(item->name).starts_with(kSavedPrefix)) continue;
    if (names_.rename_to_free({folder, item->name}, {top_.get(), item->name}) != 0) return false;
  }
  return scan.error() == 0;
}

void Staging::sweep() {
  std::size_t others = 0;
  FolderScan scan(top_.get());
  while (const FolderScan::Entry* item = scan.next()) {
    const std::string name = item->name;
    if (name == own_name_ || name.starts_with(kSavedPrefix)) continue;
    const Opened left = open_beneath(top_.get(), name, kFolderFlags, kInPlace);
    const bool is_marked = storage::is_partial_name(name) && has_our_owner(top_.get());
    if (!left && left.error() == ENOENT) continue;  // Its process has just ended.
    if (!left || !is_marked || !has_our_owner(left->get())) {
      ++others;
      continue;
    }
    if (::flock(left->get(), LOCK_EX | LOCK_NB) != 0) continue;  // Its process lives.
    std::string swept = new_staging_name();
    if (move_up_saved(left->get()) &&
        ::renameat(top_.get(), name.c_str(), own_.get(), swept.c_str()) == 0) {
      reclaim(std::move(swept));
    }
  }
  if (others == 0) return;
  spdlog::warn("{} holds {} items that are not left by this program; they stay", path(), others);
}

}  // namespace coffer::local
