#include "backends/local/file_restore.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string>
#include <tuple>
#include <vector>

#include "backends/local/errno_error.h"
#include "backends/local/folder_sync.h"
#include "backends/local/open_beneath.h"
#include "backends/local/staged_file.h"
#include "backends/local/status.h"
#include "base/log.h"
#include "base/write_all.h"

namespace coffer::local {
namespace {

bool holds_content(int folder, const char* name, std::span<const std::byte> content) {
  const Handle file(::openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  std::vector<std::byte> found(content.size() + 1);
  std::size_t done = 0;
  // What the kernel remembers may be what the disk did not take.
  if (file) ::posix_fadvise(file.get(), 0, 0, POSIX_FADV_DONTNEED);
  while (file && done < found.size()) {
    const ssize_t count = ::read(file.get(), found.data() + done, found.size() - done);
    if (count <= 0) break;
    done += static_cast<std::size_t>(count);
  }
  return std::ranges::equal(std::span(found).first(done), content);
}

/// For comparing.
std::tuple<std::int64_t, std::int64_t> order_of(const struct ::statx_timestamp& time) {
  return {time.tv_sec, time.tv_nsec};
}
std::tuple<std::int64_t, std::int64_t> order_of(const timespec& time) {
  return {time.tv_sec, time.tv_nsec};
}

/// True if the item is the logged file, as it was or torn, and not changed later.
bool is_logged_file(const Status& item, const LogRecord& record) {
  return is_file(item) && item.stx_ino == record.inode &&
         order_of(item.stx_mtime) <= order_of(record.modified);
}

/// True if the item had the name before the name was seen to be free: its removal did not reach the
/// disk. A new name is a change of the item (inode(7), ctime), unless it came with its folder.
bool is_older(const Status& item, const LogRecord& record, int folder) {
  if (!record.made.is_known() || is_folder(item)) return false;
  const auto place = status_of(folder, STATX_INO);
  return place && place->stx_ino == record.folder_inode &&
         order_of(item.stx_ctime) < order_of(record.made.wall);
}

}  // namespace

Result<void> FileRestore::restore(const LogRecord& record, std::string_view path) {
  const auto slash = path.rfind('/');
  const bool is_on_top = slash == std::string_view::npos;
  const std::string parent(is_on_top ? "" : path.substr(0, slash));
  const std::string name(is_on_top ? path : path.substr(slash + 1));
  const Opened folder = open_beneath(root_, parent, O_PATH | O_DIRECTORY, RESOLVE_NO_SYMLINKS);
  if (!folder) {
    const int error = folder.error();
    if (error != ENOENT && error != ENOTDIR && error != ELOOP) return fail_with(error);
    spdlog::warn("a file that a crash may have taken has no folder any more: {}", record.path);
    return {};
  }
  constexpr unsigned kMask = STATX_TYPE | STATX_INO | STATX_MTIME | STATX_CTIME;
  const auto item = status_in(folder->get(), name.c_str(), kMask);
  if (!item && item.error() != ENOENT) return fail_with(item.error());
  const bool is_logged = item && is_logged_file(*item, record);
  if (!is_logged && is_other_folder(record, folder->get())) {
    return fail(ErrorCode::conflict,
                "Another folder stands in the place of the one that it was put into.");
  }
  if (item && !is_logged && !is_older(*item, record, folder->get())) return {};
  if (item && is_file(*item) && holds_content(folder->get(), name.c_str(), record.content)) {
    return {};
  }
  return write(record, folder->get(), name.c_str(), item.has_value());
}

bool FileRestore::is_other_folder(const LogRecord& record, int folder) const {
  if (folders_ == Folders::any || record.folder_inode == 0) return false;
  const auto place = status_of(folder, STATX_INO);
  return !place || place->stx_ino != record.folder_inode;
}

Result<void> FileRestore::write(const LogRecord& record, int folder, const char* name,
                                bool replaces) {
  const auto staging = staging_();
  if (!staging) return failure_of(staging);
  StagedFile file(**staging);
  if (auto opened = file.open(); !opened) return opened;
  if (const int error = write_all(file.descriptor(), record.content); error != 0) {
    return fail_with(error);
  }
  const timespec times[2] = {{0, UTIME_OMIT}, record.modified};
  if (::futimens(file.descriptor(), times) != 0) return fail_with(errno);
  if (const int error = file.write_out(true); error != 0) return fail_with(error);
  const int error = replaces ? file.exchange(folder, name) : file.show(folder, name);
  if (error != 0) return fail_with(error);
  file.keep(replaces);
  ++restored_files_;
  return FolderSync::sync_here(folder);
}

}  // namespace coffer::local
