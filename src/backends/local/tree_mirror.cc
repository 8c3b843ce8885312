#include "backends/local/tree_mirror.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>
#include <ranges>
#include <set>

#include "backends/local/attributes.h"
#include "backends/local/copy_item.h"
#include "backends/local/errno_error.h"
#include "backends/local/folder_scan.h"
#include "backends/local/status.h"
#include "backends/local/tree_removal.h"
#include "storage/copy.h"
#include "storage/partial_name.h"

namespace coffer::local {
namespace {

constexpr std::uint64_t kMirroredFolder = O_RDONLY | O_DIRECTORY | O_NOFOLLOW;
constexpr int kMirroredFile = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
constexpr unsigned kMirrorMask =
    STATX_TYPE | STATX_MODE | STATX_SIZE | STATX_BLOCKS | STATX_INO | STATX_MTIME | STATX_CTIME;
/// The kernel's clock for files may be behind the other by some milliseconds.
constexpr std::time_t kClockSlack_s = 2;

bool has_same_time(const Status& one, const Status& other) {
  return one.stx_mtime.tv_sec == other.stx_mtime.tv_sec &&
         one.stx_mtime.tv_nsec == other.stx_mtime.tv_nsec;
}

std::unexpected<Error> fail_at(const std::string& path, int error) {
  Error failure = errno_error(error);
  failure.message = fmt::format("{}: {}", path.empty() ? "The folder" : path, failure.message);
  return std::unexpected(std::move(failure));
}

/// Was moved or removed since its folder was read.
bool is_gone(int error) {
  return error == ENOENT || error == ENOTDIR || error == ELOOP;
}

/// Removes an item, however large. Returns 0 or an errno.
int remove_all(int folder, const char* name) {
  if (::unlinkat(folder, name, 0) == 0 || errno == ENOENT) return 0;
  if (errno != EISDIR && errno != EPERM) return errno;
  const Opened opened = open_beneath(folder, name, kMirroredFolder, RESOLVE_NO_SYMLINKS);
  if (!opened) return opened.error();
  if (const int error = empty_tree(opened->get()); error != 0) return error;
  return ::unlinkat(folder, name, AT_REMOVEDIR) == 0 ? 0 : errno;
}

int remove_others(int folder, const std::set<std::string>& kept) {
  std::vector<std::string> others;
  FolderScan scan(folder);
  while (const FolderScan::Entry* item = scan.next()) {
    if (!kept.contains(item->name)) others.emplace_back(item->name);
  }
  for (const std::string& name : others) {
    if (const int error = remove_all(folder, name.c_str()); error != 0) return error;
  }
  return scan.error();
}

/// Content that no name leads to yet, and what is being deleted.
bool is_unfinished(const char* name) {
  return storage::is_partial_name(name) || name == storage::kStagingFolder;
}

}  // namespace

TreeMirror::TreeMirror(Handle source, Handle target, Options options)
    : source_(std::move(source)), target_(std::move(target)), options_(std::move(options)) {}

Result<bool> TreeMirror::pass(Gone gone) {
  if (is_first_) begun_ = ::time(nullptr) - kClockSlack_s;
  has_missed_ = false;
  files_ = bytes_ = 0;
  pending_.push_back({WalkedFolder(source_.get()), WalkedFolder(target_.get()), {}});
  while (!pending_.empty()) {
    Pending folder = std::move(pending_.back());
    pending_.pop_back();
    TRY_VOID(mirror_folder(folder, gone));
  }
  is_first_ = false;
  return has_missed_;
}

Result<void> TreeMirror::copy() {
  constexpr int kMostPasses = 10;
  TRY([[maybe_unused]] const bool missed_first, pass(Gone::stays));
  for (const Gone gone : {Gone::goes, Gone::stays}) {
    bool has_missed = true;
    for (int i = 0; has_missed && i < kMostPasses; ++i) {
      TRY(has_missed, pass(gone));
    }
  }
  return finish();
}

Result<void> TreeMirror::mirror_folder(Pending& folder, Gone gone) {
  const Opened from = folder.from.open(kMirroredFolder);
  if (!from && !is_gone(from.error())) return fail_at(folder.path, from.error());
  if (!from) {
    has_missed_ = true;
    unfilled_.push_back(folder.path);
    return {};
  }
  const auto status = status_of(from->get(), kMirrorMask);
  if (!status) return fail_at(folder.path, status.error());
  const Opened to = folder.to.open(kMirroredFolder);
  if (!to) return fail_at(folder.path, to.error());
  const auto [known, is_new] = folders_.try_emplace(folder.path, status->stx_ino);
  if (!is_new && known->second != status->stx_ino) {
    if (const int error = empty_tree(to->get()); error != 0) return fail_at(folder.path, error);
    known->second = status->stx_ino;
  }
  std::set<std::string> found;
  FolderScan scan(from->get());
  while (const FolderScan::Entry* entry = scan.next()) {
    const Item item{from->get(), to->get(), entry->name, folder.path + entry->name};
    if (is_unfinished(entry->name) || (options_.has && !options_.has(item.path))) continue;
    if (gone == Gone::goes) found.emplace(entry->name);
    TRY_VOID(mirror_item(folder, item));
  }
  if (scan.error() != 0 && !is_gone(scan.error())) return fail_at(folder.path, scan.error());
  if (gone == Gone::stays || scan.error() != 0) return {};
  const int error = remove_others(to->get(), found);
  return error == 0 ? Result<void>() : fail_at(folder.path, error);
}

Result<void> TreeMirror::mirror_item(Pending& folder, const Item& item) {
  const Handle opened(::openat(item.from, item.name, kMirroredFile));
  if (!opened) {
    if (errno == ELOOP) return mirror_link(item);
    has_missed_ |= errno == ENOENT;
    const bool is_special = errno == ENXIO || errno == ENODEV;
    return errno == ENOENT || is_special ? Result<void>() : fail_at(item.path, errno);
  }
  const auto status = status_of(opened.get(), kMirrorMask);
  if (!status) return fail_at(item.path, status.error());
  if (is_folder(*status)) {
    TRY_VOID(make_folder(item));
    pending_.push_back({folder.from.child(item.name, item.from),
                        folder.to.child(item.name, item.to), item.path + '/'});
    return {};
  }
  if (!is_file(*status)) return {};
  if (!is_copied(item, *status)) TRY_VOID(mirror_file(item, opened, *status));
  ++files_;
  bytes_ += status->stx_size;
  return {};
}

/// A rename, too, changes the time of the change (STATX_CTIME).
bool TreeMirror::is_copied(const Item& item, const struct ::statx& status) const {
  if (is_first_ || status.stx_ctime.tv_sec >= begun_) return false;
  const auto copy = status_in(item.to, item.name, kMirrorMask);
  return copy && is_file(*copy) && copy->stx_size == status.stx_size &&
         has_same_time(*copy, status);
}

/// A folder that changes may list a name twice, in the first pass too.
Result<void> TreeMirror::make_room(const Item& item) {
  const int error = remove_all(item.to, item.name);
  return error == 0 ? Result<void>() : fail_at(item.path, error);
}

Result<void> TreeMirror::mirror_file(const Item& item, const Handle& file,
                                     const struct ::statx& status) {
  TRY_VOID(make_room(item));
  constexpr int kFlags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
  const Handle copy(::openat(item.to, item.name, kFlags, 0600));
  if (!copy) return fail_at(item.path, errno);
  const auto copied = copy_content(file.get(), status, copy.get(), UINT64_MAX, storage::nobody());
  if (!copied) {
    return fail(copied.error().code, fmt::format("{}: {}", item.path, copied.error().message));
  }
  take_after(file.get(), copy.get());
  give_owner(copy.get());
  set_modified(copy.get(), {status.stx_mtime.tv_sec, status.stx_mtime.tv_nsec});
  return {};
}

Result<void> TreeMirror::mirror_link(const Item& item) {
  std::array<char, PATH_MAX> target{};
  const ssize_t size = ::readlinkat(item.from, item.name, target.data(), target.size() - 1);
  if (size < 0)
    return errno == ENOENT || errno == EINVAL ? Result<void>() : fail_at(item.path, errno);
  TRY_VOID(make_room(item));
  if (::symlinkat(target.data(), item.to, item.name) != 0) return fail_at(item.path, errno);
  if (options_.owner) {
    const auto [user, group] = *options_.owner;
    if (::fchownat(item.to, item.name, user, group, AT_SYMLINK_NOFOLLOW) != 0) {
      return fail_at(item.path, errno);
    }
  }
  return {};
}

Result<void> TreeMirror::make_folder(const Item& item) {
  if (::mkdirat(item.to, item.name, 0700) == 0) return {};
  if (errno != EEXIST) return fail_at(item.path, errno);
  const auto there = status_in(item.to, item.name, STATX_TYPE);
  if (there && is_folder(*there)) return {};
  TRY_VOID(make_room(item));
  return ::mkdirat(item.to, item.name, 0700) == 0 ? Result<void>() : fail_at(item.path, errno);
}

void TreeMirror::give_owner(int item) const {
  if (!options_.owner) return;
  // A disk that keeps no owners must not keep the content out; a start tells what it cannot use.
  [[maybe_unused]] const int done = ::fchown(item, options_.owner->first, options_.owner->second);
}

Result<void> TreeMirror::finish() {
  for (const std::string& path : unfilled_ | std::views::reverse) {
    ::unlinkat(target_.get(), path.c_str(), AT_REMOVEDIR);  // Fails for those that have content.
  }
  for (const auto& path : folders_ | std::views::keys | std::views::reverse) {
    const Opened from = open_beneath(source_.get(), path, kMirroredFolder, RESOLVE_NO_SYMLINKS);
    const Opened to = open_beneath(target_.get(), path, kMirroredFolder, RESOLVE_NO_SYMLINKS);
    if (!from || !to) continue;  // It is gone, or was moved.
    const auto status = status_of(from->get(), kMirrorMask);
    if (!status) return fail_at(path, status.error());
    take_after(from->get(), to->get());
    give_owner(to->get());
    if ((status->stx_mode & S_ISGID) != 0) {
      const auto copy = status_of(to->get(), STATX_MODE);
      if (copy) ::fchmod(to->get(), (copy->stx_mode & 07777) | S_ISGID);
    }
    set_modified(to->get(), {status->stx_mtime.tv_sec, status->stx_mtime.tv_nsec});
  }
  return {};
}

}  // namespace coffer::local
