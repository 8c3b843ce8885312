#include "backends/sftp/connections.h"

#include <algorithm>

#include "backends/sftp/failure.h"

namespace coffer::sftp {
namespace {

constexpr std::chrono::seconds kSilence(2);
/// A failure that took longer is not tried again by those who waited for it.
constexpr std::chrono::seconds kQuickAnswer(1);

/// The pointers that users hold, besides the slot's own.
long users(const std::shared_ptr<Connection>& connection) {
  return connection.use_count() - 1;
}

}  // namespace

Result<Connections::Lease> Connections::lease() {
  const TimeLimit limit(options_.opening());
  std::unique_lock lock(mutex_);
  for (;;) {
    drop_dead();
    if (auto lease = take_free()) return std::move(*lease);
    if (is_silent()) return std::unexpected(*silence_);
    if (slots_.size() < options_.max_connections && !is_finding_out()) return make(lock);
    if (limit.is_over()) return fail_late();
    made_.wait_until(lock, limit.end());
  }
}

bool Connections::is_unknown() {
  const std::lock_guard lock(mutex_);
  const auto is_alive = [](const auto& slot) {
    return slot->connection && slot->connection->is_alive();
  };
  return !is_silent() && std::ranges::none_of(slots_, is_alive);
}

void Connections::begin_finding_out(Gate::Pass alone) {
  const std::lock_guard lock(mutex_);
  finding_out_ = std::move(alone);
}

void Connections::end_finding_out() {
  const std::lock_guard lock(mutex_);
  finding_out_.reset();
}

bool Connections::is_silent() const {
  return silence_ && std::chrono::steady_clock::now() < silent_until_;
}

bool Connections::is_finding_out() const {
  return !slots_.empty() &&
         std::ranges::none_of(slots_, [](const auto& slot) { return slot->connection != nullptr; });
}

std::optional<Connections::Lease> Connections::take_free() {
  const auto least = std::ranges::min_element(slots_, {}, [](const auto& slot) {
    return slot->connection ? users(slot->connection) : LONG_MAX;
  });
  if (least == slots_.end() || !(*least)->connection) return std::nullopt;
  if (users((*least)->connection) > 0 && slots_.size() < options_.max_connections) {
    return std::nullopt;
  }
  (*least)->used_at = std::chrono::steady_clock::now();
  return Lease{(*least)->connection, true};
}

/// A slot in which a connection is made, without the lock. If none comes of it, also by an
/// exception, the slot goes: others wait for it as long as it is empty.
class Connections::Making {
 public:
  Making(Connections& connections, std::unique_lock<std::mutex>& lock)
      : connections_(connections), lock_(lock) {
    connections_.slots_.push_back(slot_);
    lock_.unlock();
  }
  ~Making() {
    if (!lock_.owns_lock()) lock_.lock();
    if (!slot_->connection) std::erase(connections_.slots_, slot_);
    connections_.finding_out_.reset();
    connections_.made_.notify_all();
  }
  Making(const Making&) = delete;
  Making& operator=(const Making&) = delete;

  const std::shared_ptr<Slot>& slot() const { return slot_; }

 private:
  Connections& connections_;
  std::unique_lock<std::mutex>& lock_;
  const std::shared_ptr<Slot> slot_ = std::make_shared<Slot>();
};

Result<Connections::Lease> Connections::make(std::unique_lock<std::mutex>& lock) {
  const Making making(*this, lock);
  const auto begun_at = std::chrono::steady_clock::now();
  auto connection = Connection::open(options_);
  lock.lock();
  silence_.reset();
  if (!connection) {
    if (std::chrono::steady_clock::now() - begun_at > kQuickAnswer ||
        connection.error().code == ErrorCode::timed_out) {
      silence_ = connection.error();
      silent_until_ = std::chrono::steady_clock::now() + kSilence;
    }
    return failure_of(connection);
  }
  const auto& slot = making.slot();
  slot->connection = std::move(*connection);
  slot->used_at = std::chrono::steady_clock::now();
  if (!closer_.joinable()) {
    closer_ = std::jthread([this](std::stop_token stop) { drop_idle(std::move(stop)); });
  }
  return Lease{slot->connection, false};
}

void Connections::drop_dead() {
  std::erase_if(slots_,
                [](const auto& slot) { return slot->connection && !slot->connection->is_alive(); });
}

void Connections::drop_idle(std::stop_token stop) {
  std::unique_lock lock(mutex_);
  while (!stop.stop_requested()) {
    idle_check_.wait_for(lock, stop, options_.keep_idle / 2, [] { return false; });
    const auto now = std::chrono::steady_clock::now();
    for (const auto& slot : slots_) {
      if (slot->connection && users(slot->connection) > 0) slot->used_at = now;
    }
    std::erase_if(slots_, [&](const auto& slot) {
      return slot->connection && now - slot->used_at >= options_.keep_idle;
    });
  }
}

}  // namespace coffer::sftp
