#include <dirent.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>

#include <cerrno>

#include "backends/local/errno_error.h"
#include "backends/local/folder_scan.h"
#include "backends/local/local_reader.h"
#include "backends/local/local_tree.h"
#include "backends/local/measure.h"
#include "base/text.h"
#include "storage/partial_name.h"

namespace coffer::local {
namespace {

/// The name of an item that a listing of this folder leaves out.
std::string hidden_in(const Lookup& lookup, const Path& folder) {
  return lookup.is_whole() && folder.is_root() ? lookup.volume().hidden : std::string();
}

/// What the item shows as, if anything: a link as what it points to.
std::optional<storage::Entry> shown_entry(const Lookup& lookup, const Path& folder, int handle,
                                          const FolderScan::Entry& item) {
  if (item.type != DT_LNK) {
    const auto status = status_in(handle, item.name, kEntryMask);
    if (!status) return std::nullopt;
    if (is_file(*status) || is_folder(*status)) return entry_of(*status, item.name);
    if (!is_link(*status)) return std::nullopt;
  }
  const auto path = Path::parse(item.name);
  if (!path) return std::nullopt;
  const auto found = lookup.find(folder / *path, kEntryMask);
  if (!found) return std::nullopt;
  storage::Entry entry = entry_of(found->second, item.name);
  entry.is_link = true;
  return entry;
}

bool may_show(unsigned char type) {
  return type == DT_REG || type == DT_DIR || type == DT_LNK || type == DT_UNKNOWN;
}

bool is_nameable(std::string_view name) {
  return is_utf8(name) && !has_control_character(name);
}

/// A listing shows the item itself.
bool is_listed(int folder, const FolderScan::Entry& item) {
  if (!is_nameable(item.name)) return false;
  if (item.type != DT_UNKNOWN) return item.type == DT_REG || item.type == DT_DIR;
  const auto status = status_in(folder, item.name, kEntryMask);
  return !status || is_file(*status) || is_folder(*status);
}

}  // namespace

bool keeps_times(int folder) {
  struct ::statfs system{};
  if (::fstatfs(folder, &system) != 0) return false;
  constexpr long kXfs = 0x58465342;
  constexpr long kZfs = 0x2fc12fc1;
  switch (system.f_type) {
    case EXT4_SUPER_MAGIC:
    case BTRFS_SUPER_MAGIC:
    case TMPFS_MAGIC:
    case OVERLAYFS_SUPER_MAGIC:
    case F2FS_SUPER_MAGIC:
    case kXfs:
    case kZfs:
      return true;
    default:
      return false;
  }
}

Result<storage::Entry> stat_item(const Lookup& lookup, const Path& path) {
  const auto found = lookup.find(path, kEntryMask);
  if (!found) return failure_of(found);
  return entry_of(found->second, std::string(path.name()));
}

std::optional<storage::FolderStamp> stamp_of(const Lookup& lookup, const Path& folder) {
  const auto found = lookup.find(folder, STATX_TYPE | STATX_INO | STATX_CTIME);
  if (!found || !is_folder(found->second) || !keeps_times(found->first.get())) return std::nullopt;
  const Status& status = found->second;
  storage::FolderStamp stamp;
  stamp.device = ::makedev(status.stx_dev_major, status.stx_dev_minor);
  stamp.file_id = status.stx_ino;
  stamp.changed_at = timestamp_of(status.stx_ctime.tv_sec, status.stx_ctime.tv_nsec);
  return stamp;
}

Result<void> FolderListing::open() {
  auto handle = lookup_.open_folder(folder_, O_RDONLY);
  if (!handle) return failure_of(handle);
  handle_ = *std::move(handle);
  hidden_ = hidden_in(lookup_, folder_);
  scan_.emplace(handle_.get());
  return {};
}

void FolderListing::add(const FolderScan::Entry& item) {
  if (!may_show(item.type) || !is_nameable(item.name) || hidden_ == item.name) return;
  auto entry = shown_entry(lookup_, folder_, handle_.get(), item);
  if (entry) entries_.push_back(*std::move(entry));
}

Result<bool> FolderListing::read(std::size_t items) {
  if (!scan_) {
    if (auto opened = open(); !opened) return failure_of(opened);
  }
  for (; items > 0; --items) {
    const FolderScan::Entry* const item = scan_->next();
    if (!item && scan_->error() != 0) return fail_with(scan_->error());
    if (!item) return true;
    add(*item);
  }
  return false;
}

Result<bool> lists_all_of(const Lookup& lookup, const Path& folder) {
  const auto handle = lookup.open_folder(folder, O_RDONLY);
  if (!handle) return failure_of(handle);
  FolderScan scan(handle->get());
  while (const FolderScan::Entry* item = scan.next()) {
    if (is_listed(handle->get(), *item) || storage::is_hidden_name(item->name)) continue;
    return false;
  }
  if (scan.error() != 0) return fail_with(scan.error());
  return true;
}

Result<std::unique_ptr<storage::Reader>> open_file(const Lookup& lookup, const Path& file) {
  // Without O_NONBLOCK, opening a FIFO would wait for its other end.
  Opened opened = lookup.open(file, O_RDONLY | O_NONBLOCK | O_NOCTTY);
  if (!opened) return fail_with(opened.error());
  const auto status = status_of(opened->get(), kEntryMask);
  if (!status) return fail_with(status.error());
  if (is_folder(*status)) return fail_with(EISDIR);
  if (!is_file(*status)) return fail_with(ENOENT);
  return std::make_unique<LocalReader>(lookup.volume(), std::move(*opened),
                                       entry_of(*status, std::string(file.name())));
}

Result<storage::TreeSize> measure_item(const Lookup& lookup, const Path& path) {
  const auto found = lookup.find(path, kSizeMask);
  if (!found) return failure_of(found);
  const auto& [handle, status] = *found;
  if (is_folder(status)) return measure_tree(handle.get(), hidden_in(lookup, path));
  return storage::TreeSize{.bytes = status.stx_size, .files = 1};
}

}  // namespace coffer::local
