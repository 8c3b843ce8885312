#include <fcntl.h>

#include <algorithm>
#include <utility>

#include "backends/local/fd_path.h"
#include "backends/local/folder_watches.h"
#include "backends/local/local_tree.h"
#include "base/clock.h"
#include "base/log.h"

namespace coffer::local {
namespace {

using storage::FolderNotice;

/// Of very deep folders the uppermost ones are not watched.
constexpr std::size_t kMostAbove = 64;
/// Longer than what the times of file systems are kept to.
constexpr auto kClockTick = std::chrono::milliseconds(100);

/// The path and all above it, from the root on.
std::vector<Path> with_all_above(Path path) {
  std::vector<Path> all;
  for (std::size_t left = path.depth(); left > 0; --left) {
    all.push_back(path);
    path = path.parent();
  }
  all.emplace_back();
  std::ranges::reverse(all);
  return all;
}

FolderState state_of(int folder) {
  const auto status = status_of(folder, STATX_TYPE | STATX_INO | STATX_MTIME | STATX_CTIME);
  if (!status) return {};
  FolderState state;
  state.is_there = true;
  state.device = device_of(*status);
  state.inode = status->stx_ino;
  state.modified_at = timestamp_of(status->stx_mtime.tv_sec, status->stx_mtime.tv_nsec);
  state.changed_at = timestamp_of(status->stx_ctime.tv_sec, status->stx_ctime.tv_nsec);
  return state;
}

}  // namespace

/// Waits for the disk. Only one at a time for each.
void FolderWatches::arm(WatchedFolder& one) {
  for (bool again = true; again;) {
    std::size_t round = 0;
    {
      const std::lock_guard lock(mutex_);
      one.is_to_arm_again = false;
      round = ++one.round;
    }
    bool is_polled = false;
    const FolderState state = follow(one, round, is_polled);
    settle(one, round, state, is_polled);
    const std::lock_guard lock(mutex_);
    again = one.is_to_arm_again && !one.is_over;
    one.is_arming = again;
  }
}

// Each folder is watched before the next is opened: the kernel tells of what takes its place.
FolderState FolderWatches::follow(WatchedFolder& one, std::size_t round, bool& is_polled) {
  const Lookup whole(*one.volume);
  const std::vector<Path> way = with_all_above(one.lookup.from_root(one.folder));
  const std::vector<Path> last = with_all_above(one.folder);
  const std::size_t above = way.size() - last.size();
  const std::size_t first = way.size() > kMostAbove ? way.size() - kMostAbove : 0;
  is_polled = first > 0;
  Handle folder;
  for (std::size_t step = 0; step < way.size(); ++step) {
    // The links of a view are contained in the view.
    Opened opened = step < above ? whole.open(way[step], O_PATH | O_DIRECTORY)
                                 : one.lookup.open(last[step - above], O_PATH | O_DIRECTORY);
    if (!opened) {
      is_polled |= folder && !keeps_times(folder.get());
      return {};
    }
    folder = std::move(*opened);
    const bool is_last = step + 1 == way.size();
    if (step < first) continue;
    std::string name(is_last ? "" : way[step + 1].name());
    if (!link(one, round, folder.get(), std::move(name))) is_polled = true;
  }
  is_polled |= !keeps_times(folder.get());
  return state_of(folder.get());
}

/// False where the kernel does not tell of it.
bool FolderWatches::link(WatchedFolder& one, std::size_t round, int folder, std::string name) {
  const std::lock_guard lock(mutex_);
  if (one.is_over) return true;
  if (!inotify_) return false;
  const auto watch = inotify_->add(folder);
  if (!watch) {
    if (watch.error() == ENOSPC && !std::exchange(has_warned_, true)) {
      spdlog::warn("fs.inotify.max_user_watches is used up: folders are looked at each second");
    }
    return false;
  }
  const auto known = std::ranges::find_if(one.links, [&](const WatchedFolder::Link& link) {
    return link.watch == *watch && link.name == name;
  });
  if (known != one.links.end()) {
    known->round = round;
    return true;
  }
  table_.add(*watch, name, &one);
  one.links.push_back({*watch, std::move(name), round});
  return true;
}

/// With the mutex. True if the folder itself was watched by one of them: another one stands in its
/// place, even where that has got the inode of the one before.
bool FolderWatches::drop_links(WatchedFolder& one, std::size_t but_of_round) {
  bool was_another = false;
  std::erase_if(one.links, [&](const WatchedFolder::Link& link) {
    if (link.round == but_of_round) return false;
    was_another |= link.name.empty();
    if (table_.remove(link.watch, link.name, &one) && inotify_) inotify_->remove(link.watch);
    return true;
  });
  return was_another;
}

void FolderWatches::settle(WatchedFolder& one, std::size_t round, const FolderState& state,
                           bool is_polled) {
  const auto root = fd_path(one.volume->root.get());
  const bool is_lost = !root || *root != one.root;
  bool is_changed = false;
  bool is_newly_lost = false;
  {
    const std::lock_guard lock(mutex_);
    if (one.is_over) return;
    const bool was_another = drop_links(one, round);
    is_changed = is_polled || one.is_polled ? state != one.state : !state.is_same_folder(one.state);
    is_changed |= was_another;
    is_newly_lost = is_lost && !std::exchange(one.is_lost, is_lost);
    one.state = state;
    // Another change may have the same time: it is looked at once more.
    if (now() - state.changed_at < kClockTick) one.state.changed_at = {};
    if (is_polled != std::exchange(one.is_polled, is_polled)) polled_ += is_polled ? 1 : -1;
    if (is_polled) wake();
  }
  if (round == 1) return;
  if (is_newly_lost) one.listener(FolderNotice::lost);
  if (is_changed) one.listener(FolderNotice::changed);
}

}  // namespace coffer::local
