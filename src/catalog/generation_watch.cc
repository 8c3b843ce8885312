#include "catalog/generation_watch.h"

#include <ctime>
#include <utility>

#include "sql/connection.h"

namespace coffer::catalog {
namespace {

constexpr std::chrono::milliseconds kPeriod{200};
constexpr std::chrono::seconds kCallLimit{1};

}  // namespace

GenerationWatch::Clock::time_point GenerationWatch::Clock::now() {
  timespec time{};
  ::clock_gettime(CLOCK_BOOTTIME, &time);
  return time_point(std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec));
}

GenerationWatch::GenerationWatch(Address address, std::string node, bool follows_clock)
    : address_(std::move(address)),
      node_(std::move(node)),
      follows_clock_(follows_clock),
      thread_([this](const std::stop_token& stop) { run(stop); }) {}

GenerationWatch::~GenerationWatch() = default;

std::optional<std::uint64_t> GenerationWatch::value(Generation generation) {
  const std::lock_guard lock(mutex_);
  if (!std::exchange(is_wanted_, true)) changed_.notify_all();
  if (Clock::now() >= valid_until_) return std::nullopt;
  return static_cast<std::uint64_t>(values_[static_cast<std::size_t>(generation)]);
}

void GenerationWatch::forget() {
  const std::lock_guard lock(mutex_);
  ++forgotten_;
  valid_until_ = {};
  changed_.notify_all();
}

void GenerationWatch::run(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (!stop.stop_requested()) {
    changed_.wait(lock, stop, [this] { return is_wanted_ || follows_clock_; });
    if (stop.stop_requested()) break;
    is_wanted_ = false;
    const std::uint64_t forgotten = forgotten_;
    const auto next = std::chrono::steady_clock::now() + kPeriod;
    lock.unlock();
    const auto found = read();
    lock.lock();
    if (found && forgotten == forgotten_) take(*found);
    changed_.wait_until(lock, stop, next, [&] { return forgotten != forgotten_; });
  }
}

void GenerationWatch::take(const Read& read) {
  if (!read.has_run) return;
  values_ = read.values;
  valid_until_ = read.sent + kHolds;
}

// A failure makes the callers ask the database themselves, and they tell of it.
std::optional<GenerationWatch::Read> GenerationWatch::read() {
  try {
    if (!session_) {
      session_ = open_session(address_, Durability::synced);
      socket_.emplace(socket_of(*session_));
    }
    const CallDeadlines::Call call(deadlines_, *socket_, kCallLimit);
    Read read{.sent = Clock::now()};
    const auto sent = std::chrono::steady_clock::now();
    const auto row = session_->first(
        "SELECT (SELECT value FROM auth_generation), (SELECT value FROM mounts_generation), "
        "(SELECT value FROM lock_generation), "
        "CAST(extract(epoch FROM clock_timestamp()) * 1000000000 AS BIGINT), "
        "(SELECT count(*) FROM runs WHERE node = $1)",
        node_);
    read.values = {row.value().get<std::int64_t>(0), row.value().get<std::int64_t>(1),
                   row.value().get<std::int64_t>(2)};
    read.database_time = row.value().get<Timestamp>(3);
    read.has_run = row.value().get<bool>(4);
    if (follows_clock_) {
      follow_clock(read.database_time, sent, std::chrono::steady_clock::now());
    }
    return read;
  } catch (const sql::Failure&) {
    session_.reset();
    socket_.reset();
    return std::nullopt;
  }
}

}  // namespace coffer::catalog
