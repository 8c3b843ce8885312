#include "backends/local/folder_watches.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <string>
#include <utility>

#include "backends/local/file_systems.h"
#include "base/clock.h"
#include "base/log.h"
#include "storage/partial_name.h"

namespace coffer::local {
namespace {

/// A file that is written counts when its writer closes it: each write would be an event.
constexpr std::uint32_t kChanges = IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO |
                                   IN_CLOSE_WRITE | IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF;

constexpr std::size_t kEventBytes = 16 * 1024;
constexpr int kMostReads = 16;

}  // namespace

std::expected<Inotify, int> Inotify::open() {
  Handle handle(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC));
  if (!handle) return std::unexpected(errno);
  return Inotify(std::move(handle));
}

// The link leads to the open folder itself, so no path is followed again.
std::expected<int, int> Inotify::add(int folder) const {
  const std::string link = "/proc/self/fd/" + std::to_string(folder);
  const int watch = ::inotify_add_watch(handle_.get(), link.c_str(), kChanges | IN_ONLYDIR);
  if (watch < 0) return std::unexpected(errno);
  return watch;
}

void Inotify::remove(int watch) const {
  ::inotify_rm_watch(handle_.get(), watch);
}

void Inotify::read(const std::function<void(const Event&)>& take) const {
  alignas(inotify_event) std::array<char, kEventBytes> buffer;
  for (int count = 0; count < kMostReads; ++count) {
    const ssize_t got = ::read(handle_.get(), buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return;
    for (std::size_t at = 0; at < static_cast<std::size_t>(got);) {
      const auto* event = reinterpret_cast<const inotify_event*>(buffer.data() + at);
      // The name ends with its first zero.
      const std::string_view name = event->len > 0 ? std::string_view(event->name) : "";
      take({event->wd, event->mask, name});
      at += sizeof(inotify_event) + event->len;
    }
  }
}

namespace {

const std::vector<WatchedFolder*> kNone;

}  // namespace

void WatchTable::add(int watch, const std::string& name, WatchedFolder* one) {
  auto& all = folders_[watch][name];
  if (std::ranges::find(all, one) == all.end()) all.push_back(one);
}

bool WatchTable::remove(int watch, const std::string& name, WatchedFolder* one) {
  const auto folder = folders_.find(watch);
  if (folder == folders_.end()) return false;
  const auto found = folder->second.find(name);
  if (found == folder->second.end()) return false;
  std::erase(found->second, one);
  if (found->second.empty()) folder->second.erase(found);
  if (!folder->second.empty()) return false;
  folders_.erase(folder);
  return true;
}

const std::vector<WatchedFolder*>& WatchTable::of_folder(int watch) const {
  return of_item(watch, "");
}

const std::vector<WatchedFolder*>& WatchTable::of_item(int watch, std::string_view name) const {
  const auto folder = folders_.find(watch);
  if (folder == folders_.end()) return kNone;
  const auto found = folder->second.find(name);
  return found == folder->second.end() ? kNone : found->second;
}

std::vector<WatchedFolder*> WatchTable::all_of(int watch) const {
  std::vector<WatchedFolder*> all;
  const auto folder = folders_.find(watch);
  if (folder == folders_.end()) return all;
  for (const auto& [name, some] : folder->second) all.insert(all.end(), some.begin(), some.end());
  return all;
}

namespace {

using storage::FolderNotice;

constexpr auto kPollEvery = std::chrono::seconds(1);
constexpr auto kRoundEvery = std::chrono::seconds(15);
constexpr std::uint32_t kGone = IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT | IN_IGNORED;

}  // namespace

class FolderWatches::Watch final : public storage::FolderWatch {
 public:
  Watch(FolderWatches& watches, Watched one) : watches_(watches), one_(std::move(one)) {}
  ~Watch() override { watches_.drop(one_); }
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

 private:
  FolderWatches& watches_;
  const Watched one_;
};

FolderWatches::~FolderWatches() {
  {
    std::unique_lock lock(mutex_);
    is_stopping_ = true;
    idle_.wait(lock, [this] { return jobs_ == 0; });
  }
  if (!thread_.joinable()) return;
  wake();
  thread_.join();
}

std::unique_ptr<storage::FolderWatch> FolderWatches::watch(const std::shared_ptr<Volume>& volume,
                                                           const Lookup& lookup, const Path& folder,
                                                           storage::FolderListener listener) {
  const Watched one(new WatchedFolder{volume, lookup, folder, std::move(listener),
                                      fd_path(volume->root.get()).value_or("")});
  {
    const std::lock_guard lock(mutex_);
    begin();
    all_.emplace(one.get(), one);
    one->is_arming = true;
  }
  auto watch = std::make_unique<Watch>(*this, one);
  arm(*one);
  return watch;
}

/// With the mutex.
void FolderWatches::begin() {
  if (thread_.joinable()) return;
  wake_ = Handle(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  open_kernel();
  next_poll_ = next_round_ = Clock::now() + kPollEvery;
  thread_ = std::thread([this] { run(); });
}

/// With the mutex. Where there is none, another may end.
void FolderWatches::open_kernel() {
  if (!uses_kernel_ || inotify_) return;
  auto opened = Inotify::open();
  if (opened) {
    inotify_.emplace(*std::move(opened));
  } else if (!std::exchange(has_warned_, true)) {
    spdlog::warn("inotify is not available, so folders are checked for changes instead: {}",
                 std::strerror(opened.error()));
  }
}

void FolderWatches::wake() const {
  const std::uint64_t one = 1;
  // It fails where others have not been read, which wake it too.
  [[maybe_unused]] const ssize_t written = ::write(wake_.get(), &one, sizeof one);
}

void FolderWatches::run() {
  for (;;) {
    wait();
    {
      const std::lock_guard lock(mutex_);
      if (is_stopping_) return;
    }
    read();
    look_around(Clock::now());
  }
}

void FolderWatches::wait() {
  std::array<::pollfd, 2> sources{{{wake_.get(), POLLIN, 0}, {-1, POLLIN, 0}}};
  int timeout_ms = -1;
  {
    const std::lock_guard lock(mutex_);
    if (inotify_) sources[1].fd = inotify_->descriptor();
    const auto next = polled_ > 0 ? std::min(next_poll_, next_round_) : next_round_;
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(next - Clock::now());
    if (!all_.empty()) timeout_ms = static_cast<int>(std::max<std::int64_t>(0, left.count()));
  }
  ::poll(sources.data(), sources.size(), timeout_ms);
  std::uint64_t ignored = 0;
  [[maybe_unused]] const ssize_t got = ::read(wake_.get(), &ignored, sizeof ignored);
}

void FolderWatches::read() {
  Told told;
  {
    const std::lock_guard lock(mutex_);
    if (inotify_) inotify_->read([&](const Inotify::Event& event) { take(event, told); });
  }
  for (const Watched& one : told.missed) one->listener(FolderNotice::missed);
  for (const Watched& one : told.changed) one->listener(FolderNotice::changed);
}

/// With the mutex.
void FolderWatches::take(const Inotify::Event& event, Told& told) {
  if (event.watch < 0) {
    for (const auto& [one, known] : all_) {
      if (const Watched kept = held(one)) told.missed.insert(kept);
    }
    next_round_ = Clock::now();
    return;
  }
  if ((event.mask & kGone) != 0) {
    for (WatchedFolder* one : table_.all_of(event.watch)) arm_soon(held(one));
    return;
  }
  if (event.name.empty()) return;
  for (WatchedFolder* one : table_.of_item(event.watch, event.name)) arm_soon(held(one));
  if (storage::is_hidden_name(event.name)) return;
  for (WatchedFolder* one : table_.of_folder(event.watch)) {
    if (const Watched kept = held(one)) told.changed.insert(kept);
  }
}

void FolderWatches::look_around(Clock::time_point now) {
  const std::lock_guard lock(mutex_);
  const bool is_round = now >= next_round_;
  const bool is_poll = now >= next_poll_;
  if (is_round) next_round_ = now + kRoundEvery;
  if (is_poll) next_poll_ = now + kPollEvery;
  if (is_round) open_kernel();
  for (const auto& [one, known] : all_) {
    // What hangs is not asked again before it answered.
    if ((is_round || (is_poll && one->is_polled)) && !one->is_arming) arm_soon(known.lock());
  }
}

/// With the mutex. Null while it ends.
FolderWatches::Watched FolderWatches::held(WatchedFolder* one) {
  const auto known = all_.find(one);
  return known == all_.end() ? nullptr : known->second.lock();
}

void FolderWatches::drop(const Watched& one) {
  const std::lock_guard lock(mutex_);
  one->is_over = true;
  drop_links(*one, 0);
  if (one->is_polled) --polled_;
  all_.erase(one.get());
}

/// With the mutex.
void FolderWatches::arm_soon(const Watched& one) {
  if (!one || one->is_over || is_stopping_) return;
  one->is_to_arm_again = one->is_arming;
  if (std::exchange(one->is_arming, true)) return;
  ++jobs_;
  one->volume->pool.post([this, weak = std::weak_ptr(one)]() mutable {
    if (const Watched kept = weak.lock()) arm(*kept);
    weak.reset();
    const std::lock_guard lock(mutex_);
    if (--jobs_ == 0) idle_.notify_all();
  });
}

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
    update(one, round, state, is_polled);
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
      spdlog::warn("fs.inotify.max_user_watches is used up, so folders are checked every second");
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

void FolderWatches::update(WatchedFolder& one, std::size_t round, const FolderState& state,
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
    if (own_now() - state.changed_at < kClockTick) one.state.changed_at = {};
    if (is_polled != std::exchange(one.is_polled, is_polled)) polled_ += is_polled ? 1 : -1;
    if (is_polled) wake();
  }
  if (round == 1) return;
  if (is_newly_lost) one.listener(FolderNotice::lost);
  if (is_changed) one.listener(FolderNotice::changed);
}

}  // namespace coffer::local
