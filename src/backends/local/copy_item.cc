#include "backends/local/copy_item.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <linux/openat2.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <mutex>
#include <span>
#include <vector>

#include "backends/local/attributes.h"
#include "backends/local/errno_error.h"
#include "backends/local/file_systems.h"
#include "backends/local/folder_scan.h"
#include "backends/local/tree_changes.h"
#include "backends/local/tree_walk.h"
#include "base/disk.h"
#include "base/error.h"
#include "base/log.h"
#include "storage/depth.h"
#include "storage/partial_name.h"

namespace coffer::local {
namespace {

constexpr unsigned kCopyMask = kSizeMask | STATX_MODE | STATX_MTIME | STATX_BLOCKS;
constexpr std::size_t kSmallBytes = 64 * 1024;
/// Between two steps the copy may be stopped.
constexpr std::size_t kStepBytes = 16 * 1024 * 1024;

/// One file's content on its way.
class ContentCopy {
 public:
  ContentCopy(int source, int target, std::uint64_t limit_bytes, storage::CopyWatch& watch)
      : source_(source), target_(target), limit_(limit_bytes), watch_(watch) {}

  /// Through memory: the quickest way for small files, and one that every file system has.
  Result<std::uint64_t> through_memory();
  /// In the kernel, by sharing blocks where the file system can; nothing when it cannot do either.
  Result<std::optional<std::uint64_t>> in_kernel(bool is_sparse);

 private:
  Result<std::uint64_t> by_sharing();
  Result<std::uint64_t> around_holes();
  Result<void> copy_extent(off_t begin, off_t end);
  Result<void> add(std::uint64_t bytes);

  const int source_;
  const int target_;
  const std::uint64_t limit_;
  storage::CopyWatch& watch_;
  std::uint64_t total_ = 0;
};

Result<void> ContentCopy::add(std::uint64_t bytes) {
  total_ += bytes;
  if (total_ > limit_) return fail_over_quota();
  watch_.wrote(bytes);
  return go_on(watch_);
}

Result<std::uint64_t> ContentCopy::through_memory() {
  std::array<std::byte, kSmallBytes> buffer;
  for (;;) {
    const ssize_t count = ::read(source_, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return fail_with(errno);
    if (count == 0) return total_;
    const std::span data(buffer.data(), static_cast<std::size_t>(count));
    if (const int error = write_all(target_, data); error != 0) return fail_with(error);
    TRY_VOID(add(data.size()));
    // A short read of a small file is its end; asking again would double the calls.
    if (data.size() < buffer.size() && total_ < kSmallBytes) return total_;
  }
}

/// Copies what is between the holes; the target has holes at the same places.
Result<std::uint64_t> ContentCopy::around_holes() {
  off_t end = 0;
  for (;;) {
    const off_t begin = ::lseek(source_, end, SEEK_DATA);
    if (begin < 0 && errno != ENXIO) return fail_with(errno);
    if (begin < 0) break;
    TRY_VOID(add(static_cast<std::uint64_t>(begin - end)));
    end = ::lseek(source_, begin, SEEK_HOLE);
    if (end < 0) return fail_with(errno);
    TRY_VOID(copy_extent(begin, end));
  }
  const off_t size = ::lseek(source_, 0, SEEK_END);
  if (size < end || ::ftruncate(target_, size) != 0) return fail_with(size < end ? EIO : errno);
  TRY_VOID(add(static_cast<std::uint64_t>(size - end)));
  return total_;
}

Result<void> ContentCopy::copy_extent(off_t begin, off_t end) {
  if (::lseek(target_, begin, SEEK_SET) < 0) return fail_with(errno);
  std::array<std::byte, kSmallBytes> buffer;
  while (begin < end) {
    const auto wanted = std::min<std::size_t>(buffer.size(), static_cast<std::size_t>(end - begin));
    const ssize_t count = ::pread(source_, buffer.data(), wanted, begin);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return fail_with(errno);
    if (count == 0) return {};  // It became shorter meanwhile.
    const std::span data(buffer.data(), static_cast<std::size_t>(count));
    const int error = write_all(target_, data, static_cast<std::uint64_t>(begin));
    if (error != 0) return fail_with(error);
    TRY_VOID(add(data.size()));
    begin += count;
  }
  return {};
}

Result<std::optional<std::uint64_t>> ContentCopy::in_kernel(bool is_sparse) {
  if (::ioctl(target_, FICLONE, source_) == 0) return by_sharing();
  if (is_sparse) return around_holes();
  for (;;) {
    const ssize_t count = ::copy_file_range(source_, nullptr, target_, nullptr, kStepBytes, 0);
    if (count == 0) return total_;
    if (count < 0) {
      const bool unable =
          errno == EXDEV || errno == EINVAL || errno == ENOSYS || errno == EOPNOTSUPP;
      if (unable && total_ == 0) return std::nullopt;
      return fail_with(errno);
    }
    TRY_VOID(add(static_cast<std::uint64_t>(count)));
  }
}

/// It is done; only its size is not known.
Result<std::uint64_t> ContentCopy::by_sharing() {
  const auto status = status_of(target_, kSizeMask);
  if (!status) return fail_with(status.error());
  TRY_VOID(add(status->stx_size));
  return total_;
}

}  // namespace

Result<std::uint64_t> copy_content(int source, const Status& status, int target,
                                   std::uint64_t limit_bytes, storage::CopyWatch& watch) {
  if (status.stx_size > limit_bytes) return fail_over_quota();
  ContentCopy copy(source, target, limit_bytes, watch);
  if (status.stx_size >= kSmallBytes) {
    const bool is_sparse = status.stx_blocks * 512 < status.stx_size;
    TRY(const auto copied, copy.in_kernel(is_sparse));
    if (copied.has_value()) return *copied;
  }
  return copy.through_memory();
}

namespace {

/// Copies the content and the times of a file into a new one. `over_quota` when it holds more than
/// `limit_bytes`. Returns its bytes.
Result<std::uint64_t> copy_file(int source, const Status& status, const Opened& target,
                                std::uint64_t limit_bytes, storage::CopyWatch& watch) {
  if (!target) return fail_with(target.error());
  TRY(const auto copied, copy_content(source, status, target->get(), limit_bytes, watch));
  copy_properties(source, target->get());
  set_modified(target->get(), {status.stx_mtime.tv_sec, status.stx_mtime.tv_nsec});
  watch.completed_item();
  return copied;
}

// The staging folder keeps others out, so the permissions may be there from the start.
mode_t permissions_of(const Status& status) {
  return status.stx_mode & 0777;
}

Opened make_file_in(int folder, const char* name, mode_t mode) {
  constexpr int kFlags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
  Handle file(::openat(folder, name, kFlags, mode));
  if (!file) return std::unexpected(errno);
  return file;
}

constexpr std::uint64_t kCopiedFolderFlags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW;
constexpr std::uint64_t kFileFlags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY;

constexpr std::uint64_t kPlaceFlags = O_PATH | O_DIRECTORY;

constexpr mode_t kAllPermissions = 07777;

/// Takes the owner's rights that the copied folder's owner does not have. All else it has from
/// being made with the other's permissions, as far as its folder's access control list allows.
/// Returns false on failure.
bool narrow_to(int folder, mode_t mode) {
  const auto now = status_of(folder, STATX_MODE);
  if (!now) return false;
  const mode_t had = now->stx_mode & kAllPermissions;
  const mode_t wanted = had & ~(S_IRWXU & ~mode);
  return wanted == had || ::fchmod(folder, wanted) == 0;
}

std::unexpected<Error> fail_source(int error) {
  if (error != ENOENT && error != ENOTDIR && error != ELOOP) return fail_with(error);
  return fail(ErrorCode::conflict,
              "The source changed while it was copied, so nothing was stored. Try again.");
}

/// `conflict` unless the item that was copied from, still open, is also what is at its place now.
Result<void> check_source(int source, const Opened& now) {
  if (!now) return fail_source(now.error());
  return is_same_item(source, now->get()) ? Result<void>() : fail_source(ENOENT);
}

/// Copies the tree in an open folder. Links, devices, sockets and FIFOs are left out. Folders get
/// their modes, but the owner may do all in the top one. Files that vanish meanwhile are left out;
/// `conflict` when a folder does. A failure leaves a part.
class Copying {
 public:
  /// `depth` is that of the copy where it will stand.
  Copying(int source, int target, std::size_t depth, const storage::CopyOptions& options)
      : source_(source),
        target_(target),
        depth_(depth),
        options_(options),
        keeps_inodes_(keeps_inode_numbers(source)) {}

  Result<storage::TreeSize> run() {
    const auto top = status_of(source_, STATX_INO);
    if (!top) return fail_with(top.error());
    pending_.push_back({WalkedFolder(source_), WalkedFolder(target_), number_of(*top)});
    while (!pending_.empty()) {
      Pending folder = std::move(pending_.back());
      pending_.pop_back();
      TRY_VOID(copy_folder(folder));
    }
    return size_;
  }

 private:
  /// Its copy is made already, but empty.
  struct Pending {
    WalkedFolder from;
    WalkedFolder to;
    ItemNumber number;
  };

  Result<void> copy_folder(Pending& folder);
  Result<void> copy_item(Pending& folder, int from, int to, const FolderScan::Entry& item);
  Result<void> make_folder(Pending& folder, int from, int to, const char* name,
                           const Status& status);

  const int source_;
  const int target_;
  const std::size_t depth_;
  const storage::CopyOptions& options_;
  const bool keeps_inodes_;
  std::vector<Pending> pending_;
  bool has_lost_ = false;  ///< An item of the folder under way was gone.
  storage::TreeSize size_;
};

Result<void> Copying::copy_folder(Pending& folder) {
  const Opened from = folder.from.open(kCopiedFolderFlags);
  if (!from) return fail_source(from.error());
  const auto status = status_of(from->get(), kCopyMask);
  if (!status) return fail_with(status.error());
  if (keeps_inodes_ && number_of(*status) != folder.number) return fail_source(ENOENT);
  const Opened to = folder.to.open(kCopiedFolderFlags);
  if (!to) return fail_with(to.error());
  ++size_.folders;
  options_.watch.completed_item();
  has_lost_ = false;
  FolderScan scan(from->get());
  while (const FolderScan::Entry* item = scan.next()) {
    if (storage::is_hidden_name(item->name)) continue;
    TRY_VOID(go_on(options_.watch));
    TRY_VOID(copy_item(folder, from->get(), to->get(), *item));
  }
  // Of a folder that is gone, ENOENT.
  if (scan.error() != 0) return fail_source(scan.error());
  // What is gone from a folder may be gone with it.
  if (has_lost_) {
    TRY_VOID(check_source(from->get(), folder.from.open(kPlaceFlags)));
  }
  copy_properties(from->get(), to->get());
  // Only now, when nothing more is made in it: that would change its time, or be refused.
  set_modified(to->get(), {status->stx_mtime.tv_sec, status->stx_mtime.tv_nsec});
  // The top is to be moved yet, which takes the right to write into it. A disk that keeps no
  // permissions must not keep the content out.
  if (folder.to.depth() > 0) narrow_to(to->get(), permissions_of(*status));
  return {};
}

Result<void> Copying::copy_item(Pending& folder, int from, int to, const FolderScan::Entry& item) {
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
    return make_folder(folder, from, to, item.name, *status);
  }
  if (is_file(*status)) {
    const auto room = options_.limit_bytes - size_.bytes;
    const Opened target = make_file_in(to, item.name, permissions_of(*status));
    TRY(const auto copied, copy_file(file.get(), *status, target, room, options_.watch));
    size_.bytes += copied;
    ++size_.files;
  }
  return {};
}

Result<void> Copying::make_folder(Pending& folder, int from, int to, const char* name,
                                  const Status& status) {
  TRY_VOID(storage::check_depth(depth_ + folder.to.depth() + 1));
  if (::mkdirat(to, name, permissions_of(status) | S_IRWXU) != 0) return fail_with(errno);
  pending_.push_back({folder.from.child(name, from), folder.to.child(name, to), number_of(status)});
  return {};
}

/// Where a copy is collected, and the folder where it will stand, which gives it its group.
struct CopyPlace {
  const Staging& staging;
  const char* name;
  int folder;
  std::size_t depth;  ///< Of the copy where it will stand.
};

/// A copy of what was deleted meanwhile may be a part.
Result<StagedItem> stage_tree(const Lookup& lookup, const Path& from, int source,
                              const Status& status, const CopyPlace& place,
                              const storage::CopyOptions& options) {
  TRY_VOID(storage::check_depth(place.depth));
  const Opened target =
      place.staging.make_folder(place.folder, place.name, permissions_of(status) | S_IRWXU);
  if (!target) return fail_with(target.error());
  TRY(const auto size, Copying(source, target->get(), place.depth, options).run());
  TRY_VOID(check_source(source, lookup.open(from, O_PATH)));
  const mode_t mode = permissions_of(status);
  StagedItem staged{size, std::nullopt};
  if ((mode & S_IRWXU) != S_IRWXU) staged.mode = mode;
  return staged;
}

Result<StagedItem> stage_copy(const Lookup& lookup, const Path& from, const CopyPlace& place,
                              const storage::CopyOptions& options) {
  Opened source = lookup.open(from, O_RDONLY | O_NONBLOCK | O_NOCTTY);
  if (!source) return fail_with(source.error());
  const auto status = status_of(source->get(), kCopyMask);
  if (!status) return fail_with(status.error());
  if (is_folder(*status)) return stage_tree(lookup, from, source->get(), *status, place, options);
  if (!is_file(*status)) return fail_with(ENOENT);
  const Opened target = place.staging.make_file(place.folder, place.name, permissions_of(*status));
  TRY(const auto bytes,
      copy_file(source->get(), *status, target, options.limit_bytes, options.watch));
  return StagedItem{{.bytes = bytes, .files = 1}, std::nullopt};
}

/// One call for a whole tree, instead of one for each file in it.
Result<void> sync_copy(const Volume& volume, const Handle& copy, const storage::TreeSize& size) {
  if (!volume.durable) return {};
  const int done = size.folders == 0 ? ::fsync(copy.get()) : ::syncfs(copy.get());
  if (done != 0) return fail_with(errno);
  return {};
}

/// For a copy that shows: a failure leaves a mode that is too wide, but a whole copy.
void set_mode(const Volume& volume, const Handle& copy, mode_t mode) {
  const bool done = narrow_to(copy.get(), mode) && (!volume.durable || ::fsync(copy.get()) == 0);
  if (!done)
    spdlog::error("the permissions of a copied folder could not be set: {}",
                  errno_error(errno).message);
}

/// The folder that the copy stands in.
Result<Handle> show_copy(const Lookup& lookup, const Path& to, StagedCopy& staged) {
  const std::unique_lock lock(*lookup.volume().steps);
  TRY(auto place, lookup.place(to));
  const Staging& staging = *lookup.volume().staging;
  const NameRef copy{staging.folder(), staged.name()};
  const NameRef shown{place.folder.get(), place.name.c_str()};
  if (const int error = staging.names().rename_to_free(copy, shown)) {
    return std::unexpected(move_error(error, copy, shown));
  }
  staged.release();
  return std::move(place.folder);
}

}  // namespace

StagedCopy::~StagedCopy() {
  if (!name_.empty()) staging_.reclaim(std::move(name_));
}

Result<void> ItemCopy::collect() {
  if (to_.is_within(from_)) return std::unexpected(into_itself());
  TRY(const auto place, lookup_.place(to_));
  if (status_in(place.folder.get(), place.name.c_str(), kSizeMask)) return fail_with(EEXIST);
  const Volume& volume = lookup_.volume();
  const int folder = place.folder.get();
  if (!is_same_disk(folder, volume.staging->folder())) {
    return std::unexpected(move_error(EXDEV, {volume.staging->folder(), ""}, {folder, ""}));
  }
  const CopyPlace copy{*volume.staging, staged_.name(), folder, lookup_.from_root(to_).depth()};
  TRY(item_, stage_copy(lookup_, from_, copy, options_));
  constexpr int kFlags = O_RDONLY | O_NOFOLLOW | O_CLOEXEC;
  copy_ = Handle(::openat(volume.staging->folder(), staged_.name(), kFlags));
  if (!copy_) return fail_with(errno);
  return sync_copy(volume, copy_, item_.size);
}

Result<storage::TreeSize> ItemCopy::show() {
  TRY(const auto shown, show_copy(lookup_, to_, staged_));
  if (item_.mode) set_mode(lookup_.volume(), copy_, *item_.mode);
  if (auto synced = sync_if_durable(lookup_, shown); !synced) {
    // It stays: others may have put something into it meanwhile.
    options_.watch.keep(item_.size);
    return failure_of(synced);
  }
  return item_.size;
}

}  // namespace coffer::local
