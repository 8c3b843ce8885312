#include "app/disk_rooms.h"

#include <sys/statvfs.h>

#include <algorithm>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <cstdint>
#include <utility>

namespace coffer::app {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds kKept{10};

}  // namespace

/// The wait of one caller, which ends early if all disks have answered.
class DiskRooms::Waiter : public std::enable_shared_from_this<Waiter> {
 public:
  explicit Waiter(asio::steady_timer& timer) : timer_(&timer) {}

  /// On the caller's thread, as all but `tell`. What is told is counted when the caller waits.
  void expect() { ++missing_; }
  bool waits() const { return missing_ > 0; }
  /// The caller's timer is not used from now on.
  void leave() {
    const std::lock_guard lock(mutex_);
    timer_ = nullptr;
  }
  /// On any thread.
  void tell() {
    const std::lock_guard lock(mutex_);
    if (!timer_) return;
    asio::post(timer_->get_executor(), [self = shared_from_this()] { self->count(); });
  }

 private:
  void count() {
    const std::lock_guard lock(mutex_);
    if (--missing_ == 0 && timer_) timer_->cancel();
  }

  std::mutex mutex_;
  asio::steady_timer* timer_;
  std::size_t missing_ = 0;
};

struct DiskRooms::Known {
  struct Disk {
    core::DiskRoom room;
    std::optional<Clock::time_point> seen_at;
    bool is_asked = false;  ///< True while a look has not ended.
    std::vector<std::shared_ptr<Waiter>> waiters;
  };
  std::mutex mutex;
  std::map<std::string, Disk> disks;
};

core::DiskRoom look_at_disk(const std::string& path) {
  core::DiskRoom room;
  room.path = path;
  struct statvfs status{};
  if (::statvfs(path.c_str(), &status) != 0) return room;
  room.free_bytes = std::uint64_t{status.f_bavail} * status.f_frsize;
  room.total_bytes = std::uint64_t{status.f_blocks} * status.f_frsize;
  return room;
}

DiskRooms::DiskRooms(Pool& pool, Look look)
    : pool_(pool),
      look_(look ? std::move(look) : Look(&look_at_disk)),
      known_(std::make_shared<Known>()) {}

/// Begins a look where none is recent or under way. Returns true if the waiter will be told.
bool DiskRooms::begin(const std::string& path, const std::shared_ptr<Waiter>& waiter) {
  const std::lock_guard lock(known_->mutex);
  Known::Disk& disk = known_->disks[path];
  if (!disk.is_asked && disk.seen_at && Clock::now() - *disk.seen_at < kKept) return false;
  disk.waiters.push_back(waiter);
  if (std::exchange(disk.is_asked, true)) return true;
  disk.room = {};
  pool_.post([path, look = look_, known = known_] {
    core::DiskRoom room = look(path);
    std::vector<std::shared_ptr<Waiter>> waiters;
    {
      const std::lock_guard own(known->mutex);
      Known::Disk& seen = known->disks[path];
      seen.room = std::move(room);
      seen.seen_at = Clock::now();
      seen.is_asked = false;
      waiters.swap(seen.waiters);
    }
    for (const auto& one : waiters) one->tell();
  });
  return true;
}

Task<std::vector<core::DiskRoom>> DiskRooms::look(std::vector<std::string> paths,
                                                  std::chrono::milliseconds patience) {
  asio::steady_timer timer(co_await asio::this_coro::executor, patience);
  const auto waiter = std::make_shared<Waiter>(timer);
  for (const std::string& path : paths) {
    if (begin(path, waiter)) waiter->expect();
  }
  if (waiter->waits()) {
    boost::system::error_code ignored;
    co_await timer.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
  }
  waiter->leave();
  const std::lock_guard lock(known_->mutex);
  std::vector<core::DiskRoom> rooms;
  for (const std::string& path : paths) {
    Known::Disk& disk = known_->disks[path];
    std::erase(disk.waiters, waiter);
    rooms.push_back(disk.room);
    rooms.back().path = path;
  }
  co_return rooms;
}

}  // namespace coffer::app
