#include "backends/ftp/connections.h"

#include <algorithm>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/post.hpp>
#include <iterator>
#include <set>
#include <utility>

namespace coffer::ftp {

void Lease::GiveBack::operator()(Connection* connection) const {
  home->give_back(std::unique_ptr<Connection>(connection), use);
}

namespace {

/// The time for which a reader with a slow client keeps its stream to itself.
constexpr std::chrono::seconds kUndisturbedRest(2);
/// The interval at which a waiting request looks for a connection at rest.
constexpr std::chrono::seconds kLookAgain(1);

/// A copy within the server reads over one and writes over another.
constexpr std::size_t kOfCopy = 2;

}  // namespace

/// A waiting request has a timer that is cancelled when its connections are there.
struct Connections::Waiter {
  Use use;
  std::shared_ptr<asio::steady_timer> timer = {};
  std::optional<Lease> lease = {};
};

Connections::Connections(std::shared_ptr<const FtpOptions> options, Pool& pool)
    : options_(std::move(options)),
      pool_(pool),
      limit_(std::max(options_->connections, kOfCopy)),
      most_lasting_(std::max(limit_ - 1, kOfCopy)),
      timer_(pool.timer()) {}

Connections::~Connections() = default;

std::unique_ptr<Connection> Connections::take_one() {
  while (!idle_.empty()) {
    auto connection = std::move(idle_.back().connection);
    idle_.pop_back();
    if (connection->undisturbed()) return connection;
    drop(std::move(connection));
  }
  return std::make_unique<Connection>(options_);
}

/// The holder starts another stream when it wakes, over any connection.
bool Connections::take_from_a_rest(bool of_limited_only) {
  const auto may_take = [&](const Resting& resting) {
    return !of_limited_only || resting.lease->connection_.get_deleter().use.is_limited;
  };
  const auto longest = std::ranges::find_if(resting_, may_take);
  if (longest == resting_.end()) return false;
  if (std::chrono::steady_clock::now() - longest->since < kUndisturbedRest) return false;
  Lease& lease = *longest->lease;
  resting_.erase(longest);
  --in_use_[lease.connection_.get_deleter().use];
  std::unique_ptr<Connection> connection(lease.connection_.release());
  connection->abandon();
  drop(std::move(connection));
  return true;
}

void Connections::rest(Lease& lease) {
  const std::lock_guard lock(mutex_);
  resting_.push_back({&lease, std::chrono::steady_clock::now()});
}

bool Connections::wake(Lease& lease) {
  const std::lock_guard lock(mutex_);
  std::erase_if(resting_, [&](const Resting& resting) { return resting.lease == &lease; });
  return static_cast<bool>(lease);
}

std::size_t Connections::in_use(std::initializer_list<UseKind> kinds, bool is_limited) const {
  std::size_t count = 0;
  for (const auto& [use, number] : in_use_) {
    const bool counts = std::ranges::find(kinds, use.kind) != kinds.end();
    if (counts && (use.is_limited || !is_limited)) count += number;
  }
  return count;
}

std::size_t Connections::in_use() const {
  return in_use({UseKind::brief, UseKind::lasting, UseKind::writing}, false);
}

bool Connections::is_over_share(Use use) const {
  if (!use.is_limited) return false;
  const std::size_t lasting = in_use({UseKind::lasting, UseKind::writing}, true);
  const std::size_t all = lasting + in_use({UseKind::brief}, true);
  const bool is_first = use.kind == UseKind::brief ? all == 0 : in_use({use.kind}, true) == 0;
  if (is_first) return false;
  const std::size_t most_lasting = limit_ > kOfCopy + 1 ? limit_ - 1 - kOfCopy : 1;
  return all + 1 > limit_ / 2 || (use.kind != UseKind::brief && lasting + 1 > most_lasting);
}

bool Connections::fits(Use use) const {
  if (in_use() + 1 > limit_) return false;
  if (use.kind == UseKind::brief) return true;
  return in_use({UseKind::lasting, UseKind::writing}, false) + 1 <= most_lasting_;
}

std::optional<Lease> Connections::take(Use use) {
  const bool writes = use.kind == UseKind::writing;
  if (writes && in_use({UseKind::writing}, false) + 1 >= most_lasting_) return std::nullopt;
  while (is_over_share(use)) {
    if (!take_from_a_rest(true)) return std::nullopt;
  }
  while (!fits(use)) {
    if (!take_from_a_rest(false)) return std::nullopt;
  }
  ++in_use_[use];
  return Lease(*this, take_one(), use);
}

std::optional<Lease> Connections::try_acquire() {
  const std::lock_guard lock(mutex_);
  const auto is_before = [](const Waiter* waiter) { return !waiter->use.is_limited; };
  if (std::ranges::any_of(waiters_, is_before)) return std::nullopt;
  return take({.kind = UseKind::lasting});
}

Task<Result<Lease>> Connections::acquire(Use use) {
  auto executor = co_await asio::this_coro::executor;
  Waiter waiter{use};
  {
    const std::lock_guard lock(mutex_);
    if (waiters_.empty()) waiter.lease = take(use);
    if (!waiter.lease) {
      waiter.timer = std::make_shared<asio::steady_timer>(executor);
      waiters_.push_back(&waiter);
    }
  }
  if (waiter.timer) {
    // The frame of a waiter that is destroyed while it waits must leave the queue with it.
    struct Leave {
      Connections& home;
      Waiter& waiter;
      ~Leave() {
        const std::lock_guard lock(home.mutex_);
        home.waiters_.remove(&waiter);
      }
    } leave{*this, waiter};
    const auto waiting_limit =
        use.kind == UseKind::brief ? options_->deadlines.reply : options_->wait_for_others;
    const auto limit = std::chrono::steady_clock::now() + waiting_limit;
    while (!try_to_serve(waiter) && std::chrono::steady_clock::now() < limit) {
      const auto next = std::chrono::steady_clock::now() + kLookAgain;
      waiter.timer->expires_at(std::min(limit, next));
      co_await waiter.timer->async_wait(asio::as_tuple(asio::use_awaitable));
    }
  }
  if (!waiter.lease) {
    co_return fail(ErrorCode::refused, "All connections to the FTP server are in use.");
  }
  co_return *std::move(waiter.lease);
}

bool Connections::try_to_serve(Waiter& waiter) {
  const std::lock_guard lock(mutex_);
  serve_waiters();
  return waiter.lease.has_value();
}

/// A waiting request is not overtaken by later requests for an equal use. One that is not limited
/// is not overtaken by limited ones of its kind either.
void Connections::serve_waiters() {
  std::set<Use> waiting;
  const auto is_held_up = [&](Use use) {
    return waiting.contains(use) || (use.kind != UseKind::brief && waiting.contains({use.kind}));
  };
  for (auto at = waiters_.begin(); at != waiters_.end();) {
    Waiter& waiter = **at;
    if (!is_held_up(waiter.use)) waiter.lease = take(waiter.use);
    if (!waiter.lease) {
      waiting.insert(waiter.use);
      ++at;
      continue;
    }
    at = waiters_.erase(at);
    // On the waiter's own thread: a timer is not safe from another.
    asio::post(waiter.timer->get_executor(), [timer = waiter.timer] { timer->cancel(); });
  }
}

void Connections::give_back(std::unique_ptr<Connection> connection, Use use) {
  connection->abandon();
  const std::lock_guard lock(mutex_);
  --in_use_[use];
  if (connection->connected()) {
    connection->rested();
    idle_.push_back({std::move(connection), std::chrono::steady_clock::now()});
    close_idle_later();
  } else {
    drop(std::move(connection));
  }
  serve_waiters();
}

/// Closes a connection on the pool, since that may take a while.
void Connections::drop(std::unique_ptr<Connection> connection) {
  pool_.post([dropped = std::shared_ptr<Connection>(std::move(connection))] {});
}

void Connections::close_idle_later() {
  if (timer_runs_ || idle_.empty()) return;
  timer_runs_ = true;
  timer_.expires_at(idle_.front().since + options_->idle_after);
  timer_.async_wait([home = weak_from_this()](auto /*error*/) {
    if (auto alive = home.lock()) alive->pool_.post([alive] { alive->close_idle(); });
  });
}

void Connections::close_idle() {
  std::vector<Idle> old;  // Closed without the lock.
  const std::lock_guard lock(mutex_);
  timer_runs_ = false;
  const auto limit = std::chrono::steady_clock::now() - options_->idle_after;
  const auto kept =
      std::ranges::find_if(idle_, [&](const Idle& idle) { return idle.since > limit; });
  std::move(idle_.begin(), kept, std::back_inserter(old));
  idle_.erase(idle_.begin(), kept);
  close_idle_later();
}

}  // namespace coffer::ftp
