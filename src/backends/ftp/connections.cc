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

/// A reader whose client is slow keeps its stream so long for itself.
constexpr std::chrono::seconds kUndisturbedRest(2);
/// How often a waiting request looks for a connection at rest.
constexpr std::chrono::seconds kLookAgain(1);

/// A copy within the server reads over one and writes over another.
constexpr std::size_t kOfCopy = 2;

bool is_limited(Use use) {
  return use == Use::limited_brief || use == Use::limited_lasting;
}

bool is_lasting(Use use) {
  return use == Use::lasting || use == Use::limited_lasting;
}

}  // namespace

/// A waiting request has a timer that is cancelled when its connections are there.
struct Connections::Waiter {
  std::size_t count;
  Use use;
  std::shared_ptr<asio::steady_timer> timer;
  std::optional<std::vector<Lease>> leases;
};

Connections::Connections(std::shared_ptr<const FtpOptions> options, Pool& pool)
    : options_(std::move(options)),
      pool_(pool),
      limit_(std::max(options_->connections, kOfCopy)),
      timer_(pool.timer()) {}

Connections::~Connections() = default;

std::unique_ptr<Connection> Connections::take_one() {
  ++in_use_;
  while (!idle_.empty()) {
    auto connection = std::move(idle_.back().connection);
    idle_.pop_back();
    if (connection->undisturbed()) return connection;
    drop(std::move(connection));
  }
  return std::make_unique<Connection>(options_);
}

/// The holder begins anew when it wakes, on whatever connection it gets then.
bool Connections::take_from_a_rest() {
  if (resting_.empty()) return false;
  if (std::chrono::steady_clock::now() - resting_.front().since < kUndisturbedRest) return false;
  Lease& lease = *resting_.front().lease;
  resting_.erase(resting_.begin());
  released(lease.connection_.get_deleter().use);
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

bool Connections::is_over_share(std::size_t count, Use use) const {
  if (!is_limited(use)) return false;
  if (limited_ > 0 && limited_ + count > limit_ / 2) return true;
  // A copy within the server needs two of those that lasting uses may have.
  const std::size_t most = limit_ > kOfCopy + 1 ? limit_ - 1 - kOfCopy : 1;
  return is_lasting(use) && limited_lasting_ > 0 && limited_lasting_ + count > most;
}

bool Connections::fits(std::size_t count, Use use) const {
  if (in_use_ + count > limit_) return false;
  // Of two, a copy within the server needs both.
  return !is_lasting(use) || lasting_ + count <= std::max<std::size_t>(limit_ - 1, kOfCopy);
}

void Connections::released(Use use) {
  --in_use_;
  if (is_lasting(use)) --lasting_;
  if (is_limited(use)) --limited_;
  if (use == Use::limited_lasting) --limited_lasting_;
}

std::optional<std::vector<Lease>> Connections::take(std::size_t count, Use use) {
  if (is_over_share(count, use)) return std::nullopt;
  while (!fits(count, use)) {
    if (!take_from_a_rest()) return std::nullopt;
  }
  if (is_lasting(use)) lasting_ += count;
  if (is_limited(use)) limited_ += count;
  if (use == Use::limited_lasting) limited_lasting_ += count;
  std::vector<Lease> leases;
  for (std::size_t i = 0; i < count; ++i) leases.emplace_back(*this, take_one(), use);
  return leases;
}

std::optional<Lease> Connections::try_acquire() {
  const std::lock_guard lock(mutex_);
  const auto is_before = [](const Waiter* waiter) { return !is_limited(waiter->use); };
  if (std::ranges::any_of(waiters_, is_before)) return std::nullopt;
  auto leases = take(1, Use::lasting);
  if (!leases) return std::nullopt;
  return std::move(leases->front());
}

Task<Result<std::vector<Lease>>> Connections::acquire(std::size_t count, Use use) {
  auto executor = co_await asio::this_coro::executor;
  Waiter waiter{count, use, nullptr, std::nullopt};
  {
    const std::lock_guard lock(mutex_);
    if (waiters_.empty()) waiter.leases = take(count, use);
    if (!waiter.leases) {
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
        is_lasting(use) ? options_->wait_for_others : options_->deadlines.reply;
    const auto limit = std::chrono::steady_clock::now() + waiting_limit;
    while (!try_to_serve(waiter) && std::chrono::steady_clock::now() < limit) {
      const auto next = std::chrono::steady_clock::now() + kLookAgain;
      waiter.timer->expires_at(std::min(limit, next));
      co_await waiter.timer->async_wait(asio::as_tuple(asio::use_awaitable));
    }
  }
  if (!waiter.leases) {
    co_return fail(ErrorCode::refused, "All connections to the FTP server are in use.");
  }
  co_return std::move(*waiter.leases);
}

bool Connections::try_to_serve(Waiter& waiter) {
  const std::lock_guard lock(mutex_);
  serve_waiters();
  return waiter.leases.has_value();
}

/// A wait for a lasting connection does not hold up a brief use behind it, nor that of a limited
/// use any other but limited ones.
void Connections::serve_waiters() {
  std::set<Use> waiting;
  const auto is_held_up = [&](Use use) {
    return waiting.contains(use) || (use == Use::limited_lasting && waiting.contains(Use::lasting));
  };
  for (auto at = waiters_.begin(); at != waiters_.end();) {
    Waiter& waiter = **at;
    if (!is_held_up(waiter.use)) {
      waiter.leases = take(waiter.count, waiter.use);
      const auto needed = is_limited(waiter.use) ? 1 : waiter.count;
      if (!waiter.leases && in_use_ + needed > limit_) return;
    }
    if (!waiter.leases) {
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
  released(use);
  if (connection->connected()) {
    connection->rested();
    idle_.push_back({std::move(connection), std::chrono::steady_clock::now()});
    close_idle_later();
  } else {
    drop(std::move(connection));
  }
  serve_waiters();
}

/// Closing may take a while.
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
