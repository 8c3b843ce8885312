#include "catalog/place_locks.h"

#include <algorithm>
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

/// Its locks are those of its session.
struct PlaceLocks::Hold::State {
  State(PlaceLocks& owner, SessionPtr with, Gate::Pass for_it)
      : locks(owner), session(std::move(with)), pass(std::move(for_it)) {}
  ~State() {
    locks.pool_->post([&all = locks, session = std::move(session),
                       pass = std::move(pass)]() mutable { all.give_back(std::move(session)); });
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  PlaceLocks& locks;
  SessionPtr session;
  Gate::Pass pass;
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
    if (auto held = young_hold(places.begin()->first)) co_return Hold(std::move(held));
  }
  auto pass = co_await connections_.enter();
  auto work = [&] { return lock(places, std::move(pass)); };
  CO_TRY(auto hold, co_await pool_->run(std::move(work)));
  if (is_one_shared) {
    const std::lock_guard guard(mutex_);
    std::erase_if(young_, [](const auto& each) { return each.second.expired(); });
    young_[places.begin()->first] = hold.state_;
  }
  co_return hold;
}

std::shared_ptr<PlaceLocks::Hold::State> PlaceLocks::young_hold(const std::string& place) {
  const std::lock_guard guard(mutex_);
  const auto found = young_.find(place);
  auto state = found == young_.end() ? nullptr : found->second.lock();
  return state && Clock::now() - state->since < kIsYoung ? state : nullptr;
}

// In the order of the places, which is the same for all servers.
Result<PlaceLocks::Hold> PlaceLocks::lock(const Places& places, Gate::Pass pass) {
  SessionPtr session = take_session();
  try {
    if (!session) session = std::make_unique<Session>(database_.address());
    const CallDeadlines::Call call(deadlines_, session->socket, kCallLimit);
    for (const auto& [place, mode] : places) session->sql->run(lock_statement(mode), place);
    session->sql->flush();
    return Hold(std::make_shared<Hold::State>(*this, std::move(session), std::move(pass)));
  } catch (const sql::Failure& failure) {
    // The session ends, and with it the locks that it has.
    spdlog::warn("a lock was not had: {}", describe(failure, database_.address()));
    return fail(ErrorCode::unready,
                "Another server changes a folder here, or the catalog does not answer; try again.");
  }
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
