#include "catalog/database.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <cerrno>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

#include "base/log.h"
#include "base/random.h"
#include "catalog/catalog_copy.h"
#include "catalog/runs.h"
#include "catalog/server_lock.h"
#include "sql/connection.h"

namespace coffer::catalog {
namespace {

using Clock = std::chrono::steady_clock;

/// Changing a table may take long.
constexpr std::chrono::minutes kMigrationLimit{10};
constexpr std::chrono::milliseconds kBetweenAdditions{200};
constexpr std::string_view kOneMigrates = "SELECT pg_advisory_xact_lock(4853164)";
/// Connecting takes longer only if the server does not answer.
constexpr std::chrono::seconds kSlowConnect{4};
constexpr std::chrono::seconds kStallPause{1};

/// Whether the transaction that this thread committed last has to be waited out.
thread_local bool must_wait_here = false;

std::unexpected<Error> unusable() {
  return fail(ErrorCode::unready, "The catalog cannot be used at the moment.");
}

/// Twice the size of the log at its checkpoint.
constexpr off_t kReserveBytes = 8 << 20;
constexpr std::chrono::seconds kBetweenTries{1};

/// Returns the errno, or 0. Closing the file drops no locks, since SQLite has none on it.
int reserve(const std::string& file) {
  const int descriptor = ::open(file.c_str(), O_RDWR | O_CLOEXEC);
  if (descriptor < 0) return errno;
  const int error = ::fallocate(descriptor, FALLOC_FL_KEEP_SIZE, 0, kReserveBytes) == 0 ? 0 : errno;
  ::close(descriptor);
  return error;
}

}  // namespace

void WalReserve::take() {
  if (is_taken_) return;
  const std::lock_guard lock(mutex_);
  const auto now = std::chrono::steady_clock::now();
  if (is_taken_ || now < next_try_) return;
  next_try_ = now + kBetweenTries;
  is_taken_ = try_to_take();
}

bool WalReserve::try_to_take() {
  const int error = reserve(log_file_);
  if (error == 0) {
    if (has_failed_) spdlog::info("disk space for the catalog is reserved again");
    return true;
  }
  if (!has_failed_) {
    spdlog::warn(
        "no disk space can be reserved for the catalog, so that a full disk would stop it: {}",
        std::generic_category().message(error));
  }
  has_failed_ = true;
  return error == EOPNOTSUPP;  // It stays unsupported.
}

struct Database::Connection {
  std::unique_ptr<sql::Connection> session;
  std::optional<ConnectionSocket> socket;  // PostgreSQL only.
  unsigned losses = 0;                     // The database's counter when the session was opened.
  bool is_usable = true;                   // False if a transaction could not be rolled back.
};

/// The idle connections of a lane.
struct Database::Connections {
  Durability durability;
  std::mutex mutex;
  std::vector<Connection> idle;

  Connection take() {
    const std::lock_guard lock(mutex);
    if (idle.empty()) return {};
    Connection connection = std::move(idle.back());
    idle.pop_back();
    return connection;
  }
  void give_back(Connection connection) {
    if (!connection.session || !connection.is_usable) return;
    const std::lock_guard lock(mutex);
    idle.push_back(std::move(connection));
  }
};

Database::Database(Address address, Servers beside, std::span<const Migration> known)
    : address_(std::move(address)),
      beside_(beside),
      known_(known),
      node_(random_hex(16)),
      read_(new Connections{Durability::synced, {}, {}}),
      write_(new Connections{Durability::synced, {}, {}}),
      ordered_(new Connections{Durability::ordered, {}, {}}),
      names_(new Connections{Durability::synced, {}, {}}) {}

Database::~Database() = default;

Result<std::unique_ptr<Database>> Database::open(const std::string& url, Servers beside,
                                                 const std::string& lock_holder,
                                                 std::span<const Migration> known) {
  TRY(auto address, Address::parse(url));
  std::unique_ptr<Database> database(new Database(std::move(address), beside, known));
  TRY_VOID(database->prepare(lock_holder));
  database->opened_ = true;
  return database;
}

Result<void> Database::prepare(const std::string& lock_holder) {
  holder_ = lock_holder;
  if (!is_sqlite()) deadlines_.emplace();
  if (beside_ != Servers::any) {
    const auto mode = is_shared() ? ServerLock::Mode::shared : ServerLock::Mode::alone;
    TRY(lock_, take_server_lock(address_, mode, lock_holder));
  }
  TRY_VOID(update_schema());
  if (!is_sqlite()) {
    if (lock_) watch_ = std::make_unique<GenerationWatch>(address_, node_, is_shared());
    return {};
  }
  return lock_ ? reserve_room() : Result<void>();
}

Result<void> Database::reserve_room() {
  try {
    // Moves the log to the database, which later grows only for new rows.
    open_session(address_, Durability::synced)->run_once("PRAGMA wal_checkpoint(PASSIVE)");
  } catch (const sql::Failure& failure) {
    if (failure.kind() != sql::Failure::Kind::disk_full) {
      return fail(ErrorCode::failed, describe(failure, address_));
    }
  }
  reserve_.emplace(address_.target);
  reserve_->take();
  return {};
}

Result<SchemaState> Database::schema_state() {
  SchemaState state{};
  auto compare = [&](sql::Connection& sql) -> Result<void> {
    TRY(state, compare_schema(sql, known_));
    return {};
  };
  TRY_VOID(attempt(Lane::write, compare));
  return state;
}

Result<void> Database::update_schema() {
  TRY(const SchemaState state, schema_state());
  if (state == SchemaState::current) return {};
  return state == SchemaState::lacks && !is_sqlite() ? add_to_schema() : change_schema();
}

// A statement that waits for a table is in front of all later ones, which wait with it. So it gives
// up before anyone notices, and before PostgreSQL looks for a deadlock (deadlock_timeout, 1 s).
Result<void> Database::add_to_schema() {
  const auto end = Clock::now() + kMigrationLimit;
  for (bool is_told = false;; is_told = true) {
    TRY(const bool is_done, try_to_add());
    if (is_done) return {};
    if (Clock::now() > end) break;
    if (!is_told) spdlog::warn("to add to its schema, this program waits for work in the catalog");
    std::this_thread::sleep_for(kBetweenAdditions);
  }
  return fail(ErrorCode::failed,
              "The catalog's schema could not be changed, since a transaction of another program "
              "has locked a table for ten minutes: look at pg_stat_activity.");
}

/// False if others have locked what is to be changed.
Result<bool> Database::try_to_add() {
  bool is_locked = false;
  auto add = [&](sql::Connection& sql) -> Result<void> {
    try {
      sql.run_once("SET LOCAL statement_timeout = 0");
      sql.run_once("SET LOCAL lock_timeout = '500ms'");
      sql.run_once(kOneMigrates);
      TRY_VOID(migrate(sql, known_));
      sql.flush();
    } catch (const sql::Failure& failure) {
      is_locked = failure.kind() == sql::Failure::Kind::busy;
      throw;
    }
    return {};
  };
  auto added = attempt(Lane::write, add, kMigrationLimit);
  if (is_locked) return false;
  TRY_VOID(added);
  return true;
}

/// While no server runs.
Result<void> Database::change_schema() {
  // Servers that share the catalog hold its lock shared, as this one does.
  const bool was_shared = lock_ && is_shared();
  if (was_shared) lock_.reset();
  std::unique_ptr<ServerLock> lock;
  if (!lock_) {
    auto taken = take_server_lock(address_, ServerLock::Mode::alone, "a command of coffer");
    if (!taken && taken.error().code != ErrorCode::exists) return failure_of(std::move(taken));
    if (taken) {
      lock = *std::move(taken);
    } else {
      TRY_VOID(check_changed_by_another(taken.error()));
    }
  }
  if (lock || lock_) {
    TRY_VOID(migrate_alone());
  }
  lock.reset();
  if (was_shared) {
    TRY(lock_, take_server_lock(address_, ServerLock::Mode::shared, holder_));
  }
  return {};
}

/// Of several that start at once, one changes the schema, and serves while the others still wait.
Result<void> Database::check_changed_by_another(const Error& running) {
  TRY(const SchemaState state, schema_state());
  if (state == SchemaState::current) return {};
  return fail(ErrorCode::exists,
              "The catalog has an older schema, which this program would change. " +
                  running.message + " Restart that with this program first.");
}

Result<void> Database::migrate_alone() {
  if (is_sqlite()) {
    TRY_VOID(keep_before_migration(address_.target));
  }
  auto change = [this](sql::Connection& sql) -> Result<void> {
    // BEGIN IMMEDIATE keeps other processes out on SQLite.
    if (!is_sqlite()) {
      sql.run_once("SET LOCAL statement_timeout = 0");
      sql.run_once(kOneMigrates);
    }
    return migrate(sql, known_);
  };
  return attempt(Lane::write, change, kMigrationLimit);
}

void Database::guard_writes() {
  if (is_sqlite() || !lock_) return;
  has_run_ = true;
  is_guarded_ = true;
  lock_->keep(life_key(node_), [this] {
    auto nothing = [](sql::Connection&) -> Result<void> { return {}; };
    (void)attempt(Lane::write, nothing);  // Its begin checks that this server may write.
  });
}

Database::Connections& Database::connections(Lane lane) {
  switch (lane) {
    case Lane::read:
      return *read_;
    case Lane::write:
      return *write_;
    case Lane::ordered:
      return *ordered_;
    case Lane::names:
      return *names_;
  }
  std::unreachable();
}

FairThreads& Database::threads(Lane lane) {
  switch (lane) {
    case Lane::read:
      return read_threads_;
    case Lane::write:
      return write_thread_;
    case Lane::ordered:
      return ordered_thread_;
    case Lane::names:
      return names_threads_;
  }
  std::unreachable();
}

void Database::on_taken_over(std::function<void()> stop) {
  const std::lock_guard lock(taken_over_mutex_);
  on_taken_over_ = std::move(stop);
}

Result<void> Database::attempt(Lane lane, const Statements& job, Clock::duration limit,
                               bool* is_unknown) {
  if (is_stalled()) return unusable();
  // What this server would do by what it reads, another does by now.
  if (is_taken_over_) return taken_over();
  Connections& lane_connections = connections(lane);
  Connection connection = lane_connections.take();
  std::optional<CallDeadlines::Call> call;
  Result<void> result;
  try {
    connect(connection, lane_connections.durability);
    if (connection.socket) call.emplace(*deadlines_, *connection.socket, limit);
    std::unique_lock writing(writers_, std::defer_lock);
    if (is_sqlite() && lane != Lane::read) writing.lock();
    result = in_transaction(lane, connection, job);
  } catch (const sql::Failure& failed) {
    if (call && call->expired()) note_stall();
    call.reset();
    if (is_unknown != nullptr) *is_unknown = failed.may_have_committed();
    result = std::unexpected(failure(failed, connection));
  } catch (...) {
    count_changes();
    throw;  // The connection ends.
  }
  call.reset();
  count_changes();
  lane_connections.give_back(std::move(connection));
  return result;
}

void Database::connect(Connection& connection, Durability durability) {
  // When one connection broke, the server probably went away, and the others broke too.
  if (connection.session && connection.losses == losses_) return;
  connection.losses = losses_;
  connection.session.reset();
  connection.socket.reset();
  const auto start = Clock::now();
  try {
    connection.session = open_session(address_, durability);
  } catch (const sql::Failure&) {
    if (Clock::now() - start > kSlowConnect) note_stall();
    throw;
  }
  if (!is_sqlite()) connection.socket.emplace(socket_of(*connection.session));
}

// If the server does not answer, the calls in a lane's queue fail without waiting for a limit each.
bool Database::is_stalled() const {
  return Clock::now() < stalled_until_.load();
}

void Database::note_stall() {
  if (opened_) stalled_until_ = Clock::now() + kStallPause;
}

/// On PostgreSQL.
Result<void> Database::read(sql::Connection& session, const Statements& job) {
  try {
    auto result = job(session);
    session.flush();
    return result;
  } catch (...) {
    session.roll_back();  // Forgets what was not sent.
    throw;
  }
}

Result<void> Database::in_transaction(Lane lane, Connection& connection, const Statements& job) {
  sql::Connection& session = *connection.session;
  // A single statement is a snapshot of its own on PostgreSQL and needs no further round trips.
  if (lane == Lane::read && !is_sqlite()) {
    return read(session, job);
  }
  Result<void> result;
  try {
    begin(lane, session);
    result = job(session);
    if (result) {
      commit(session);
    } else {
      session.roll_back();
    }
  } catch (...) {
    try {
      session.roll_back();
    } catch (const sql::Failure&) {
      connection.is_usable = false;
    }
    throw;
  }
  return result;
}

void Database::begin(Lane lane, sql::Connection& session) {
  // A deferred transaction fails at its first write if another one wrote after its first read.
  session.begin(is_sqlite() && lane != Lane::read ? "BEGIN IMMEDIATE" : "BEGIN");
  must_wait_here = false;
  if (is_guarded_) fence(session, node_);
}

std::unexpected<Error> Database::taken_over() {
  const std::lock_guard lock(taken_over_mutex_);
  if (!is_taken_over_.exchange(true) && on_taken_over_) on_taken_over_();
  return fail(ErrorCode::unready, "Another server has taken over the catalog.");
}

void Database::commit(sql::Connection& session) {
  if (reserve_) reserve_->take();
  must_wait_here = has_bumped() && others_may_remember(session);
  session.commit();
}

/// True if a server other than this process may use rows that it has read before. One that begins
/// its run later reads what is committed now, since it waits for this transaction (see bump).
bool Database::others_may_remember(sql::Connection& session) const {
  if (is_sqlite() || beside_ == Servers::none) return false;
  return session.only<std::int64_t>("SELECT count(*) FROM runs WHERE node <> $1", node_) > 0;
}

bool Database::take_must_wait() {
  return std::exchange(must_wait_here, false);
}

Task<void> Database::wait_out() {
  asio::steady_timer timer(co_await asio::this_coro::executor, GenerationWatch::kWaitOut);
  co_await timer.async_wait(asio::use_awaitable);
}

/// Failed transactions are counted too, which costs only a query.
void Database::count_changes() {
  const auto bumped = take_bumped();
  for (std::size_t i = 0; i < kGenerations; ++i) {
    if (bumped[i]) ++changes_[i];
  }
  if (watch_ && std::ranges::find(bumped, true) != bumped.end()) watch_->forget();
}

Error Database::failure(const sql::Failure& failed, Connection& connection) {
  using Kind = sql::Failure::Kind;
  if (failed.kind() == Kind::division_by_zero && has_run_) {
    return is_guarded_ ? taken_over().error() : unusable().error();  // The run ends otherwise.
  }
  const bool is_full = failed.kind() == Kind::disk_full;
  const bool is_busy = failed.kind() == Kind::busy;
  Error failure{is_full ? ErrorCode::disk_full : ErrorCode::failed, describe(failed, address_)};
  if (opened_) {
    // After a commit that may have taken effect, a client that repeats its request would do it
    // twice.
    const bool is_away =
        connection.session ? failed.kind() == Kind::unready || is_busy : !is_sqlite();
    if (is_away) {
      failure.code = failed.may_have_committed() ? ErrorCode::in_doubt : ErrorCode::unready;
    }
    spdlog::error("{}", failure.message);
    failure.message = is_full ? "The disk is full." : unusable().error().message;
    if (failure.code == ErrorCode::in_doubt) {
      failure.message = "The catalog did not answer in time. Look whether this was done.";
    }
  }
  const bool is_connected =
      is_busy || failed.kind() == Kind::constraint || failed.kind() == Kind::wrong_value;
  if (is_sqlite() || is_connected || failed.kind() == Kind::damaged) return failure;
  // libpq tells a broken connection apart only by its text; a new connection is cheap.
  const bool was_open = connection.session != nullptr;
  connection.session.reset();
  connection.socket.reset();
  if (was_open) ++losses_;
  return failure;
}

}  // namespace coffer::catalog
