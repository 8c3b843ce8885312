#include "backends/local/tree_walk.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <sys/vfs.h>

#include <cerrno>
#include <utility>
#include <vector>

#include "backends/local/folder_scan.h"
#include "backends/local/status.h"

namespace coffer::local {
namespace {

/// More would open paths that grow with the depth, fewer would hold more descriptors.
constexpr std::size_t kLevelsToAnchor = 64;
constexpr std::uint64_t kReadFlags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW;

bool is_a_folder(int folder, const FolderScan::Entry& item) {
  if (item.type != DT_UNKNOWN) return item.type == DT_DIR;
  const auto status = status_in(folder, item.name, STATX_TYPE);
  return status && is_folder(*status);
}

/// On these, a folder has a link from each folder in it.
bool counts_folders(int folder) {
  struct ::statfs system{};
  if (::fstatfs(folder, &system) != 0) return false;
  constexpr long kXfs = 0x58465342;
  constexpr long kZfs = 0x2fc12fc1;
  return system.f_type == EXT4_SUPER_MAGIC || system.f_type == TMPFS_MAGIC ||
         system.f_type == kXfs || system.f_type == kZfs;
}

bool has_no_folders(int folder) {
  const auto status = status_of(folder, STATX_NLINK);
  return status && status->stx_nlink == 2;
}

}  // namespace

Opened WalkedFolder::open(std::uint64_t flags) const {
  return open_beneath(anchor_ ? anchor_->get() : top_, path_, flags, RESOLVE_NO_SYMLINKS);
}

WalkedFolder WalkedFolder::child(std::string_view name, int opened) {
  WalkedFolder below(top_);
  below.depth_ = depth_ + 1;
  if (levels_ >= kLevelsToAnchor && !own_anchor_) {
    Handle anchor(::openat(opened, ".", O_PATH | O_DIRECTORY | O_CLOEXEC));
    if (anchor) own_anchor_ = std::make_shared<const Handle>(std::move(anchor));
  }
  if (own_anchor_) {
    below.anchor_ = own_anchor_;
  } else {
    below.anchor_ = anchor_;
    below.path_ = path_;
    below.levels_ = levels_;
  }
  if (!below.path_.empty()) below.path_ += '/';
  below.path_ += name;
  ++below.levels_;
  return below;
}

void walk_tree(int top, const std::function<bool(const WalkedItem& item)>& visit) {
  std::vector<WalkedFolder> waiting{WalkedFolder(top)};
  while (!waiting.empty()) {
    WalkedFolder folder = std::move(waiting.back());
    waiting.pop_back();
    const Opened opened = folder.open(kReadFlags);
    if (!opened) continue;
    FolderScan scan(opened->get());
    while (const FolderScan::Entry* item = scan.next()) {
      const bool goes_on = visit({opened->get(), item->name, item->type});
      if (!goes_on || !is_a_folder(opened->get(), *item)) continue;
      waiting.push_back(folder.child(item->name, opened->get()));
    }
  }
}

std::expected<bool, int> has_folder_below(int top, std::size_t levels) {
  const bool counts = counts_folders(top);
  std::vector<WalkedFolder> waiting{WalkedFolder(top)};
  while (!waiting.empty()) {
    WalkedFolder folder = std::move(waiting.back());
    waiting.pop_back();
    if (folder.depth() > levels) return true;
    if (const Opened place = folder.open(O_PATH | O_DIRECTORY | O_NOFOLLOW);
        counts && place && has_no_folders(place->get())) {
      continue;
    }
    const Opened opened = folder.open(kReadFlags);
    // What the server may not read, no account has made.
    if (!opened && (opened.error() == ENOENT || opened.error() == EACCES)) continue;
    if (!opened) return std::unexpected(opened.error());
    FolderScan scan(opened->get());
    while (const FolderScan::Entry* item = scan.next()) {
      if (!is_a_folder(opened->get(), *item)) continue;
      waiting.push_back(folder.child(item->name, opened->get()));
    }
    if (scan.error() != 0 && scan.error() != ENOENT) return std::unexpected(scan.error());
  }
  return false;
}

}  // namespace coffer::local
