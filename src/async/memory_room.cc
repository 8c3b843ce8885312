#include "async/memory_room.h"

#include <chrono>
#include <map>
#include <mutex>
#include <utility>

namespace coffer {
namespace {

constexpr std::uint64_t kAssuredBytes = 256 * 1024;
constexpr std::chrono::seconds kRetryAfter{1};
/// How much guests of one network may have, of what is free beside them.
constexpr std::uint64_t kOfOneNetwork = 4;

/// The bytes of one account.
struct Taken {
  std::uint64_t own = 0;
  std::uint64_t by_guests = 0;
  std::map<std::string, std::uint64_t> by_network = {};  ///< Of the guests.

  void add(const MemoryHolder& holder, std::uint64_t bytes);
  void remove(const MemoryHolder& holder, std::uint64_t bytes);
  bool is_empty() const { return own + by_guests == 0; }
};

void Taken::add(const MemoryHolder& holder, std::uint64_t bytes) {
  (holder.is_guest ? by_guests : own) += bytes;
  if (holder.is_guest) by_network[holder.network] += bytes;
}

void Taken::remove(const MemoryHolder& holder, std::uint64_t bytes) {
  (holder.is_guest ? by_guests : own) -= bytes;
  if (!holder.is_guest) return;
  const auto network = by_network.find(holder.network);
  network->second -= bytes;
  if (network->second == 0) by_network.erase(network);
}

std::unexpected<Error> refuse(ErrorCode code, std::string message) {
  return std::unexpected(Error{code, std::move(message), kRetryAfter});
}

}  // namespace

struct MemoryRoom::State {
  enum class Fit : std::uint8_t { yes, not_share, not_guests, not_alone, not_all };

  explicit State(const Limits& given) : limits(given) {}

  /// Takes the bytes if they fit and if so many stay free.
  Fit take(const MemoryHolder& holder, std::uint64_t held, std::uint64_t bytes,
           std::uint64_t free = 0);
  void give(const MemoryHolder& holder, std::uint64_t bytes);
  Fit fit(const MemoryHolder& holder, const Taken& taken, std::uint64_t held,
          std::uint64_t bytes) const;
  Fit fit_guests(const MemoryHolder& holder, const Taken& taken, std::uint64_t held,
                 std::uint64_t bytes) const;
  void relieve(const std::string& guests_of = {});

  const Limits limits;
  std::mutex mutex;
  std::uint64_t taken = 0;
  std::map<std::string, Taken> taken_by;
  Relieve on_short;
};

/// Call it with the mutex locked.
MemoryRoom::State::Fit MemoryRoom::State::fit_guests(const MemoryHolder& holder,
                                                     const Taken& taken_of, std::uint64_t held,
                                                     std::uint64_t bytes) const {
  const std::uint64_t after = taken_of.by_guests + bytes;
  if (taken_of.by_guests == held) return after <= limits.of_account ? Fit::yes : Fit::not_share;
  const auto network = taken_of.by_network.find(holder.network);
  const bool is_networks_only_one = network == taken_of.by_network.end() || network->second == held;
  if (after > limits.of_guests) return is_networks_only_one ? Fit::not_guests : Fit::not_share;
  if (is_networks_only_one) return Fit::yes;
  const std::uint64_t most = kOfOneNetwork * (limits.of_guests - after);
  return network->second + bytes <= most ? Fit::yes : Fit::not_share;
}

/// Call it with the mutex locked.
MemoryRoom::State::Fit MemoryRoom::State::fit(const MemoryHolder& holder, const Taken& taken_of,
                                              std::uint64_t held, std::uint64_t bytes) const {
  const std::uint64_t part = holder.is_guest ? taken_of.by_guests : taken_of.own;
  if (part + bytes <= limits.assured) return Fit::yes;
  const bool is_only_one = part == held;
  if (holder.is_guest) {
    const Fit outcome = fit_guests(holder, taken_of, held, bytes);
    if (outcome != Fit::yes) return outcome;
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
                                               std::uint64_t bytes, std::uint64_t free) {
  const std::lock_guard lock(mutex);
  if (free > 0 && taken + bytes + free > limits.all) return Fit::not_all;
  const auto found = taken_by.try_emplace(holder.account).first;
  const Fit outcome = fit(holder, found->second, held, bytes);
  if (outcome == Fit::yes) {
    found->second.add(holder, bytes);
    taken += bytes;
  } else if (found->second.is_empty()) {
    taken_by.erase(found);
  }
  return outcome;
}

void MemoryRoom::State::give(const MemoryHolder& holder, std::uint64_t bytes) {
  const std::lock_guard lock(mutex);
  const auto found = taken_by.find(holder.account);
  found->second.remove(holder, bytes);
  taken -= bytes;
  if (found->second.is_empty()) taken_by.erase(found);
}

void MemoryRoom::State::relieve(const std::string& guests_of) {
  const std::lock_guard lock(mutex);
  if (on_short) on_short(guests_of);
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

void MemoryRoom::on_short(Relieve relieve) const {
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
    case State::Fit::not_guests:
      state_->relieve(holder_.account);
      [[fallthrough]];
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

bool MemoryRoom::Hold::grow_if_ample(std::uint64_t bytes) {
  const bool fits = !state_ || bytes == 0 ||
                    state_->take(holder_, bytes_, bytes, state_->limits.all / 2) == State::Fit::yes;
  if (fits) bytes_ += bytes;
  return fits;
}

void MemoryRoom::Hold::shrink_to(std::uint64_t bytes) {
  if (bytes_ <= bytes) return;
  if (state_) state_->give(holder_, bytes_ - bytes);
  bytes_ = bytes;
}

}  // namespace coffer
