#include "catalog/place_locks.h"

#include <algorithm>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <string_view>
#include <utility>

#include "base/log.h"
#include "catalog/database.h"
#include "catalog/session.h"
#include "sql/connection.h"

namespace coffer::catalog {
namespace {

using Clock = std::chrono::steady_clock;

/// PostgreSQL itself gives up after eight seconds (see open_session).
constexpr std::chrono::seconds kCallLimit{10};
constexpr std::chrono::seconds kPatience{8};

std::string_view lock_statement(PlaceLocks::Mode mode) {
  return mode == PlaceLocks::Mode::exclusive
             ? "SELECT pg_advisory_lock(hashtextextended($1, 4853166))"
             : "SELECT pg_advisory_lock_shared(hashtextextended($1, 4853166))";
}

}  // namespace

struct PlaceLocks::Session {
  explicit Session(const Address& address)
      : sql(open_session(address, Durability::synced)), socket(socket_of(*sql)) {}
  std::unique_ptr<sql::Connection> sql;
  ConnectionSocket socket;
};

/// Its locks are those of its session. It has one of the connections, also before it has a session.
struct PlaceLocks::Hold::State {
  explicit State(PlaceLocks& owner) : locks(owner) {}
  ~State() {
    if (!session) {
      --locks.connections_;
      return;
    }
    locks.pool_->post([&all = locks, session = std::move(session)]() mutable {
      all.give_back(std::move(session));
      --all.connections_;
    });
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  PlaceLocks& locks;
  SessionPtr session = {};
  const Clock::time_point since = Clock::now();
};

PlaceLocks::PlaceLocks(Database& database) : database_(database) {
  if (database.is_shared()) pool_.emplace(kMostConnections);
}

PlaceLocks::~PlaceLocks() = default;

Task<Result<PlaceLocks::Hold>> PlaceLocks::acquire(Places places) {
  if (!pool_ || places.empty()) co_return Hold();
  const bool is_one_shared = places.size() == 1 && places.begin()->second == Mode::shared;
  if (is_one_shared) {
    if (auto held = shared_hold(places.begin()->first)) co_return Hold(std::move(held));
  }
  const bool has_connection = co_await take_connection();
  if (!has_connection) {
    co_return fail(ErrorCode::unready, "Too many folders are being changed at once; try again.");
  }
  auto work = [&] { return lock(places); };
  CO_TRY(auto hold, co_await pool_->run(std::move(work)));
  if (is_one_shared) {
    const std::lock_guard guard(mutex_);
    std::erase_if(shared_, [](const auto& each) { return each.second.expired(); });
    shared_[places.begin()->first] = hold.state_;
  }
  co_return hold;
}

std::shared_ptr<PlaceLocks::Hold::State> PlaceLocks::shared_hold(const std::string& place) {
  const std::lock_guard guard(mutex_);
  const auto found = shared_.find(place);
  auto state = found == shared_.end() ? nullptr : found->second.lock();
  if (!state || connections_ >= kMostConnections) return state;
  return Clock::now() - state->since < kIsYoung ? state : nullptr;
}

/// False if none gets free in time.
Task<bool> PlaceLocks::take_connection() {
  constexpr std::chrono::milliseconds kPause{20};
  asio::steady_timer timer(co_await asio::this_coro::executor);
  for (const auto end = Clock::now() + kPatience; Clock::now() < end;) {
    if (connections_.fetch_add(1) < kMostConnections) co_return true;
    --connections_;
    timer.expires_after(kPause);
    co_await timer.async_wait(asio::use_awaitable);
  }
  co_return false;
}

// A session that was not used for some time may be lost, as after a restart of PostgreSQL.
Result<PlaceLocks::Hold> PlaceLocks::lock(const Places& places) {
  auto state = std::make_shared<Hold::State>(*this);
  try {
    if (auto used = take_session()) {
      try {
        lock_at(*used, places);
        state->session = std::move(used);
        return Hold(std::move(state));
      } catch (const sql::Failure&) {
        const std::lock_guard guard(mutex_);
        idle_.clear();
      }
    }
    auto session = std::make_unique<Session>(database_.address());
    lock_at(*session, places);
    state->session = std::move(session);
    return Hold(std::move(state));
  } catch (const sql::Failure& failure) {
    // The session ends, and with it the locks that it has.
    spdlog::warn("a lock was not had: {}", describe(failure, database_.address()));
    return fail(ErrorCode::unready,
                "Another server changes a folder here, or the catalog does not answer; try again.");
  }
}

// In the order of the places, which is the same for all servers. Fails if this server's run was
// ended: the others do not count with it.
void PlaceLocks::lock_at(Session& session, const Places& places) {
  const CallDeadlines::Call call(deadlines_, session.socket, kCallLimit);
  for (const auto& [place, mode] : places) session.sql->run(lock_statement(mode), place);
  session.sql->run("SELECT 1 / count(*) FROM runs WHERE node = $1", database_.node());
  session.sql->flush();
}

PlaceLocks::SessionPtr PlaceLocks::take_session() {
  const std::lock_guard guard(mutex_);
  if (idle_.empty()) return nullptr;
  SessionPtr session = std::move(idle_.back());
  idle_.pop_back();
  return session;
}

void PlaceLocks::give_back(SessionPtr session) {
  try {
    const CallDeadlines::Call call(deadlines_, session->socket, kCallLimit);
    session->sql->run("SELECT pg_advisory_unlock_all()");
    session->sql->flush();
  } catch (const sql::Failure&) {
    return;  // PostgreSQL unlocks what a lost session had.
  }
  const std::lock_guard guard(mutex_);
  if (idle_.size() < kMostIdle) idle_.push_back(std::move(session));
}

}  // namespace coffer::catalog
