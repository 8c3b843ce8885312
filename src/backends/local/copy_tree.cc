#include "backends/local/copy_tree.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>

#include <cerrno>
#include <vector>

#include "backends/local/errno_error.h"
#include "backends/local/folder_scan.h"
#include "backends/local/open_beneath.h"
#include "backends/local/root.h"
#include "storage/partial_name.h"

namespace coffer::local {
namespace {

constexpr std::uint64_t kCopiedFolderFlags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW;
constexpr std::uint64_t kFileFlags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY;

constexpr std::uint64_t kPlaceFlags = O_PATH | O_DIRECTORY;

std::unexpected<Error> fail_source(int error) {
  if (error != ENOENT && error != ENOTDIR && error != ELOOP) return fail_with(error);
  return fail(ErrorCode::conflict,
              "The source changed while it was copied, so nothing was stored. Try again.");
}

class Copying {
 public:
  Copying(int source, int target, const storage::CopyOptions& options, const std::string& hidden)
      : source_(source), target_(target), options_(options), hidden_(hidden) {}

  Result<storage::TreeSize> run() {
    const auto top = status_of(source_, STATX_INO);
    if (!top) return fail_with(top.error());
    pending_.push_back({{}, top->stx_ino});
    while (!pending_.empty()) {
      const Pending folder = std::move(pending_.back());
      pending_.pop_back();
      if (auto copied = copy_folder(folder); !copied) return failure_of(copied);
    }
    return size_;
  }

 private:
  /// Its copy is made already, but empty.
  struct Pending {
    std::string path;
    std::uint64_t inode;
  };

  Result<void> copy_folder(const Pending& folder);
  Result<void> copy_item(const std::string& path, int from, int to, const FolderScan::Entry& item);
  Result<void> check_in_place(const std::string& path, int from) const;

  const int source_;
  const int target_;
  const storage::CopyOptions& options_;
  const std::string& hidden_;
  std::vector<Pending> pending_;
  bool has_lost_ = false;  ///< An item of the folder under way was gone.
  storage::TreeSize size_;
};

Result<void> Copying::copy_folder(const Pending& folder) {
  const std::string& path = folder.path;
  const Opened from = open_beneath(source_, path, kCopiedFolderFlags, RESOLVE_NO_SYMLINKS);
  if (!from) return fail_source(from.error());
  const auto status = status_of(from->get(), kCopyMask);
  if (!status) return fail_with(status.error());
  if (status->stx_ino != folder.inode) return fail_source(ENOENT);
  const Opened to = open_beneath(target_, path, kCopiedFolderFlags, RESOLVE_NO_SYMLINKS);
  if (!to) return fail_with(to.error());
  ++size_.folders;
  options_.watch.completed_item();
  has_lost_ = false;
  FolderScan scan(from->get());
  while (const FolderScan::Entry* item = scan.next()) {
    if (storage::is_hidden_name(item->name) || (path.empty() && hidden_ == item->name)) continue;
    if (auto on = go_on(options_.watch); !on) return on;
    if (auto copied = copy_item(path, from->get(), to->get(), *item); !copied) return copied;
  }
  // Of a folder that is gone, ENOENT.
  if (scan.error() != 0) return fail_source(scan.error());
  if (has_lost_) {
    if (auto same = check_in_place(path, from->get()); !same) return same;
  }
  // Only now, when nothing more is made in it: that would change its time, or be refused.
  const timespec times[2] = {{0, UTIME_OMIT},
                             {status->stx_mtime.tv_sec, status->stx_mtime.tv_nsec}};
  if (::futimens(to->get(), times) != 0) return fail_with(errno);
  // The top is to be moved yet, which takes the right to write into it.
  const mode_t mode = (status->stx_mode & 0777) | (path.empty() ? S_IRWXU : 0);
  if (::fchmod(to->get(), mode) != 0) return fail_with(errno);
  return {};
}

Result<void> Copying::copy_item(const std::string& path, int from, int to,
                                const FolderScan::Entry& item) {
  if (item.type != DT_REG && item.type != DT_DIR && item.type != DT_UNKNOWN) return {};
  const Handle file(::openat(from, item.name, static_cast<int>(kFileFlags) | O_CLOEXEC));
  if (!file) {
    const bool gone_or_special = errno == ENOENT || errno == ELOOP || errno == ENXIO;
    // A folder may have another name now; nothing in it would be in the copy.
    if (errno == ENOENT && item.type == DT_DIR) return fail_source(errno);
    has_lost_ = has_lost_ || errno == ENOENT;
    if (gone_or_special) return {};
    return fail_with(errno);
  }
  const auto status = status_of(file.get(), kCopyMask);
  if (!status) return fail_with(status.error());
  if (is_folder(*status)) {
    if (::mkdirat(to, item.name, 0700) != 0) return fail_with(errno);
    const std::string below = path.empty() ? item.name : path + '/' + item.name;
    pending_.push_back({below, status->stx_ino});
  } else if (is_file(*status)) {
    const auto room = options_.limit_bytes - size_.bytes;
    const auto copied = copy_file(file.get(), *status, to, item.name, room, options_.watch);
    if (!copied) return failure_of(copied);
    size_.bytes += *copied;
    ++size_.files;
  }
  return {};
}

/// What is gone from a folder may be gone with it.
Result<void> Copying::check_in_place(const std::string& path, int from) const {
  return check_source(from, open_beneath(source_, path, kPlaceFlags, RESOLVE_NO_SYMLINKS));
}

}  // namespace

Result<void> check_source(int source, const Opened& now) {
  if (!now) return fail_source(now.error());
  return is_same_item(source, now->get()) ? Result<void>() : fail_source(ENOENT);
}

Result<storage::TreeSize> copy_tree(int source, int folder, const char* name,
                                    const storage::CopyOptions& options,
                                    const std::string& hidden) {
  if (::mkdirat(folder, name, 0700) != 0) return fail_with(errno);
  const Handle target(::openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!target) return fail_with(errno);
  return Copying(source, target.get(), options, hidden).run();
}

}  // namespace coffer::local
