#include "backends/local/staging.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#include <cerrno>
#include <cstdio>
#include <system_error>
#include <vector>

#include "backends/local/errno_error.h"
#include "backends/local/folder_scan.h"
#include "backends/local/staging_name.h"
#include "backends/local/status.h"
#include "base/log.h"

namespace coffer::local {
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

Result<std::unique_ptr<Staging>> Staging::open(const std::filesystem::path& path,
                                               bool unnamed_files, Reclaimer& reclaimer) {
  std::error_code made;
  std::filesystem::create_directories(path.parent_path(), made);
  if (::mkdir(path.c_str(), 0700) != 0 && errno != EEXIST) return fail_with(errno);
  Handle top(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!top) return fail_with(errno);
  constexpr int kTries = 10;
  for (int attempt = 1;; ++attempt) {
    std::string name = new_staging_name();
    Opened own = make_locked(top.get(), name);
    if (own) {
      std::unique_ptr<Staging> staging(
          new Staging(path, std::move(top), std::move(*own), std::move(name), reclaimer));
      if (unnamed_files) staging->find_links();
      return staging;
    }
    const bool swept = own.error() == ENOENT || own.error() == EWOULDBLOCK;
    if (!swept || attempt == kTries) return fail_with(own.error());
  }
}

Staging::Staging(const std::filesystem::path& path, Handle top, Handle own, std::string own_name,
                 Reclaimer& reclaimer)
    : path_(path),
      top_(std::move(top)),
      own_(std::move(own)),
      own_name_(std::move(own_name)),
      reclaimer_(reclaimer) {
  struct statfs status{};
  orders_data_ = ::fstatfs(own_.get(), &status) == 0 && status.f_type == EXT4_SUPER_MAGIC;
}

Staging::~Staging() {
  reclaimer_.leave(own_.get());
  // Fails where something remains to be reclaimed, which is what is wanted.
  ::unlinkat(top_.get(), own_name_.c_str(), AT_REMOVEDIR);
}

int Staging::link_by(Links way, int file, int folder, const char* name) {
  if (way == Links::by_handle) {
    return ::linkat(file, "", folder, name, AT_EMPTY_PATH) == 0 ? 0 : errno;
  }
  const std::string entry = "/proc/self/fd/" + std::to_string(file);
  return ::linkat(AT_FDCWD, entry.c_str(), folder, name, AT_SYMLINK_FOLLOW) == 0 ? 0 : errno;
}

// Not every file system knows files without a name; linking by the handle takes a privilege or a
// new kernel, and the other way needs /proc.
void Staging::find_links() {
  const Handle file(::openat(own_.get(), ".", O_WRONLY | O_TMPFILE | O_CLOEXEC, 0600));
  if (!file) return;
  const std::string name = new_staging_name();
  for (const Links way : {Links::by_handle, Links::by_proc}) {
    if (link_by(way, file.get(), own_.get(), name.c_str()) != 0) continue;
    ::unlinkat(own_.get(), name.c_str(), 0);
    links_ = way;
    return;
  }
}

void Staging::save(const std::string& name, std::string_view file) {
  const std::string saved = std::string(kSavedPrefix) + name;
  const bool moved = ::renameat(own_.get(), name.c_str(), top_.get(), saved.c_str()) == 0;
  const auto place = moved ? path_ / saved : path_ / own_name_ / name;
  spdlog::error("the earlier content of \"{}\" could not be put back; it is kept as {}", file,
                place.string());
}

bool Staging::stands_at(const std::filesystem::path& path) const {
  const auto there = status_in(AT_FDCWD, path.c_str(), STATX_INO);
  const auto open = status_of(top_.get(), STATX_INO);
  return there && open && there->stx_ino == open->stx_ino && device_of(*there) == device_of(*open);
}

void Staging::move_up_saved(const std::string& folder) {
  const Handle left(::openat(top_.get(), folder.c_str(), kFolderFlags));
  if (!left) return;
  FolderScan scan(left.get());
  while (const FolderScan::Entry* item = scan.next()) {
    if (!std::string_view(item->name).starts_with(kSavedPrefix)) continue;
    ::renameat2(left.get(), item->name, top_.get(), item->name, RENAME_NOREPLACE);
  }
}

void Staging::sweep() {
  std::vector<std::string> names;
  std::vector<Handle> locked;
  FolderScan scan(top_.get());
  while (const FolderScan::Entry* item = scan.next()) {
    if (own_name_ == item->name) continue;
    if (std::string_view(item->name).starts_with(kSavedPrefix)) continue;
    Handle folder(::openat(top_.get(), item->name, kFolderFlags));
    if (folder && ::flock(folder.get(), LOCK_EX | LOCK_NB) != 0) continue;  // Its process lives.
    names.emplace_back(item->name);
    if (folder) locked.push_back(std::move(folder));
  }
  for (const std::string& left : names) {
    move_up_saved(left);
    std::string name = new_staging_name();
    if (::renameat(top_.get(), left.c_str(), own_.get(), name.c_str()) == 0) {
      reclaim(std::move(name));
    }
  }
}

}  // namespace coffer::local
