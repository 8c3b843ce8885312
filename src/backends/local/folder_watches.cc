#include "backends/local/folder_watches.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "backends/local/fd_path.h"
#include "base/log.h"
#include "storage/partial_name.h"

namespace coffer::local {
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
    spdlog::warn("the kernel does not tell of changed folders, which are looked at instead: {}",
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

}  // namespace coffer::local
