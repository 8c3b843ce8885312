#include "async/memory_room.h"

#include <chrono>
#include <map>
#include <mutex>
#include <utility>

namespace coffer {
namespace {

constexpr std::uint64_t kAssuredBytes = 256 * 1024;
constexpr std::chrono::seconds kRetryAfter{1};

/// The bytes of one account.
struct Taken {
  std::uint64_t own = 0;
  std::uint64_t by_guests = 0;
};

std::uint64_t& part_of(Taken& taken, const MemoryHolder& holder) {
  return holder.is_guest ? taken.by_guests : taken.own;
}

std::unexpected<Error> refuse(ErrorCode code, std::string message) {
  return std::unexpected(Error{code, std::move(message), kRetryAfter});
}

}  // namespace

struct MemoryRoom::State {
  enum class Fit : std::uint8_t { yes, not_share, not_alone, not_all };

  explicit State(const Limits& given) : limits(given) {}

  Fit take(const MemoryHolder& holder, std::uint64_t held, std::uint64_t bytes);
  void give(const MemoryHolder& holder, std::uint64_t bytes);
  Fit fit(const MemoryHolder& holder, Taken& taken, std::uint64_t held, std::uint64_t bytes) const;
  void relieve();

  const Limits limits;
  std::mutex mutex;
  std::uint64_t taken = 0;
  std::map<std::string, Taken> taken_by;
  std::function<void()> on_short;
};

/// Call it with the mutex locked.
MemoryRoom::State::Fit MemoryRoom::State::fit(const MemoryHolder& holder, Taken& taken_of,
                                              std::uint64_t held, std::uint64_t bytes) const {
  const std::uint64_t part = part_of(taken_of, holder);
  if (part + bytes <= limits.assured) return Fit::yes;
  const bool is_only_one = part == held;
  if (holder.is_guest) {
    const std::uint64_t of_guests = is_only_one ? limits.of_account : limits.of_guests;
    if (part + bytes > of_guests) return Fit::not_share;
  }
  const std::uint64_t both = taken_of.own + taken_of.by_guests;
  if (is_only_one) {
    if (both + bytes > limits.of_only_one()) return Fit::not_alone;
  } else if (both + bytes > limits.of_account) {
    return Fit::not_share;
  }
  return taken + bytes <= limits.all ? Fit::yes : Fit::not_all;
}

MemoryRoom::State::Fit MemoryRoom::State::take(const MemoryHolder& holder, std::uint64_t held,
                                               std::uint64_t bytes) {
  const std::lock_guard lock(mutex);
  const auto found = taken_by.try_emplace(holder.account).first;
  const Fit outcome = fit(holder, found->second, held, bytes);
  if (outcome == Fit::yes) {
    part_of(found->second, holder) += bytes;
    taken += bytes;
  } else if (found->second.own + found->second.by_guests == 0) {
    taken_by.erase(found);
  }
  return outcome;
}

void MemoryRoom::State::give(const MemoryHolder& holder, std::uint64_t bytes) {
  const std::lock_guard lock(mutex);
  const auto found = taken_by.find(holder.account);
  part_of(found->second, holder) -= bytes;
  taken -= bytes;
  if (found->second.own + found->second.by_guests == 0) taken_by.erase(found);
}

void MemoryRoom::State::relieve() {
  const std::lock_guard lock(mutex);
  if (on_short) on_short();
}

MemoryRoom::Limits MemoryRoom::limits_of(std::uint64_t all) {
  const std::uint64_t of_account = all / 5 * 2;
  return {all, of_account, of_account / 2, kAssuredBytes};
}

MemoryRoom::MemoryRoom(const Limits& limits) : state_(std::make_shared<State>(limits)) {}

const MemoryRoom::Limits& MemoryRoom::limits() const {
  return state_->limits;
}

std::uint64_t MemoryRoom::taken() const {
  const std::lock_guard lock(state_->mutex);
  return state_->taken;
}

void MemoryRoom::on_short(std::function<void()> relieve) const {
  const std::lock_guard lock(state_->mutex);
  state_->on_short = std::move(relieve);
}

MemoryRoom::Hold MemoryRoom::begin(MemoryHolder holder) const {
  return {state_, std::move(holder)};
}

MemoryRoom::Hold::Hold(std::shared_ptr<State> state, MemoryHolder holder)
    : state_(std::move(state)), holder_(std::move(holder)) {}

MemoryRoom::Hold::Hold(Hold&& other) noexcept
    : state_(std::move(other.state_)),
      holder_(std::move(other.holder_)),
      bytes_(std::exchange(other.bytes_, 0)) {}

MemoryRoom::Hold& MemoryRoom::Hold::operator=(Hold&& other) noexcept {
  if (this == &other) return *this;
  shrink_to(0);
  state_ = std::move(other.state_);
  holder_ = std::move(other.holder_);
  bytes_ = std::exchange(other.bytes_, 0);
  return *this;
}

Result<void> MemoryRoom::Hold::grow(std::uint64_t bytes) {
  const auto fit = state_ && bytes > 0 ? state_->take(holder_, bytes_, bytes) : State::Fit::yes;
  switch (fit) {
    case State::Fit::yes:
      bytes_ += bytes;
      return {};
    case State::Fit::not_share:
      return refuse(ErrorCode::rate_limited,
                    "You are receiving too much at once. Receive it first, or ask for less.");
    case State::Fit::not_all:
      state_->relieve();
      [[fallthrough]];
    case State::Fit::not_alone:
      return refuse(ErrorCode::overloaded,
                    "The server is sending too much at once. Try again in a moment.");
  }
  std::unreachable();
}

void MemoryRoom::Hold::shrink_to(std::uint64_t bytes) {
  if (bytes_ <= bytes) return;
  if (state_) state_->give(holder_, bytes_ - bytes);
  bytes_ = bytes;
}

}  // namespace coffer
