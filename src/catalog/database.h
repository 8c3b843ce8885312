#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "async/pool.h"
#include "async/task.h"
#include "base/error.h"
#include "catalog/call_deadlines.h"
#include "catalog/generation.h"
#include "catalog/generation_watch.h"
#include "catalog/migrations.h"
#include "catalog/server_lock.h"
#include "catalog/session.h"
#include "catalog/ticket_lock.h"
#include "catalog/turn.h"

namespace coffer::catalog {

/// A lane runs jobs on threads and connections of its own, so that jobs that read do not wait for
/// the fsync of a job that writes. In each lane, turns alternate (see Turn).
enum class Lane {
  read,   ///< Three threads, of which one turn has at most two. On SQLite a job sees one snapshot.
  write,  ///< One thread. Each job is a transaction, durable when the call returns.
  ordered,  ///< As `write`, but on SQLite a power failure may undo the last transactions.
  names,    ///< Four threads. Otherwise as `write`.
};

/// Reserves disk space for SQLite's write-ahead log, so that changes can be committed while the
/// disk is full, such as those that free space. When the log fills half of the reserved space,
/// SQLite checkpoints the log (`wal_autocheckpoint`) and reuses it. Safe from any thread.
class WalReserve {
 public:
  /// The write-ahead log of `database_file` must exist.
  explicit WalReserve(const std::string& database_file) : log_file_(database_file + "-wal") {}

  /// Reserves the space unless it is reserved already. Tries at most once a second. Logs the first
  /// failure, and the success that follows failures.
  void take();

 private:
  bool try_to_take();

  const std::string log_file_;
  std::atomic<bool> is_taken_ = false;
  std::mutex mutex_;
  std::chrono::steady_clock::time_point next_try_;
  bool has_failed_ = false;
};

/// Who uses a catalog at the same time as the process that opens it.
enum class Servers : std::uint8_t {
  any,      ///< This is a command; whatever servers there are.
  none,     ///< This is a server or a command that excludes all servers.
  several,  ///< This is one of several servers (PostgreSQL only).
};

/// The connections to the database. Safe from any thread; must outlive all jobs.
class Database {
 public:
  /// Connects and migrates the schema. Unless `beside` is `any`, takes the catalog's lock first as
  /// `lock_holder` (see Catalog::open_alone). Errors, with a message of one line:
  /// - `exists` if another process has the lock, or a running server uses an older schema;
  /// - `invalid` if the address is malformed;
  /// - `failed` otherwise.
  ///
  /// Where the schema only lacks what can be added while servers of earlier programs run (see
  /// Migration), on PostgreSQL, it is added beside them: each of their statements waits at most
  /// half a second for it. `known` are the program's migrations; tests give others.
  static Result<std::unique_ptr<Database>> open(const std::string& url,
                                                Servers beside = Servers::any,
                                                const std::string& lock_holder = {},
                                                std::span<const Migration> known = migrations());
  ~Database();

  /// Runs `job(sql::Connection&)` on the lane, and resumes the awaiter on the awaiter's executor.
  /// After a job that bumped a generation, first waits until no other process uses rows that it
  /// read before (see GenerationWatch).
  /// The job returns a Result; if it is an error, the transaction is rolled back. A database error
  /// is `failed` or `disk_full`, with details in the log; `unready` if the database does not answer
  /// and the job certainly had no effect; `in_doubt` if it may have had one. If a connection to
  /// PostgreSQL broke, the next call makes a new one. A job on PostgreSQL has a deadline of ten
  /// seconds. For one second after a missed deadline, all calls fail at once.
  template <class F>
  Task<std::invoke_result_t<F&, sql::Connection&>> run(Lane lane, Turn turn, F job);
  /// Runs `job` as `run` does, but on the calling thread. Do not call it on an I/O thread. After a
  /// failure, `is_unknown` tells whether the transaction may have taken effect nevertheless. The
  /// job must not bump a generation.
  template <class F>
  std::invoke_result_t<F&, sql::Connection&> run_here(Lane lane, F& job,
                                                      bool* is_unknown = nullptr);
  /// Runs `work()` on a thread of the lane when its turn has come, so that `work` may call
  /// `run_here`.
  template <class F>
  Task<std::invoke_result_t<F>> on_thread(Lane lane, Turn turn, F work);

  /// The id of this process' run (see Ledger::begin_run).
  const std::string& node() const { return node_; }
  /// Makes writes fail after another server has ended this server's run. Call it in a server when
  /// its run has begun, and not on an I/O thread; does nothing on SQLite. From now on, each writing
  /// transaction holds the run's advisory lock, and fails if the run has ended (see fence).
  void guard_writes();
  /// Ends the checks of `guard_writes`. Call it before this server deletes its own row.
  void stop_guarding() { is_guarded_ = false; }
  /// Sets the function that is called once, from any thread, when a write fails because another
  /// server has taken over the catalog. After the lock's connection broke, the database tries a
  /// write to detect a takeover. An empty function removes the current one. After this call, the
  /// previous function does not run any more.
  void on_taken_over(std::function<void()> stop);
  bool is_taken_over() const { return is_taken_over_; }

  bool is_sqlite() const { return address_.kind == Address::Kind::sqlite; }
  const Address& address() const { return address_; }
  /// True if other servers may use the catalog too.
  bool is_shared() const { return beside_ == Servers::several; }
  /// Returns how many transactions of this process, including failed ones, bumped the generation. A
  /// transaction is counted after its end, before the awaiter of its job is resumed.
  std::uint64_t changes(Generation generation) const {
    return changes_[static_cast<std::size_t>(generation)];
  }
  /// Returns a count that grows with each change of the generation's rows by any process; nullopt
  /// if it is not known now. What is read afterwards may be used while this count stays.
  std::optional<std::uint64_t> stamp(Generation generation) {
    if (is_sqlite()) return changes(generation);
    return watch_ && !is_taken_over_ ? watch_->value(generation) : std::nullopt;
  }
  /// Runs `work()` on the lane's threads after a delay. It may call `run_here`; it must not throw.
  template <class F>
  void post_after(Lane lane, Turn turn, std::chrono::steady_clock::duration delay, F work) {
    threads(lane).of(turn.key()).post_after(delay, std::move(work));
  }

 private:
  struct Connections;
  struct Connection;
  using Statements = std::function<Result<void>(sql::Connection&)>;

  static constexpr std::chrono::seconds kCallLimit{10};

  Database(Address address, Servers beside, std::span<const Migration> known);
  Result<void> prepare(const std::string& lock_holder);
  Result<void> update_schema();
  Result<SchemaState> schema_state();
  Result<void> change_schema();
  Result<void> check_changed_by_another(const Error& running);
  Result<void> migrate_alone();
  Result<void> add_to_schema();
  Result<bool> try_to_add();
  Result<void> reserve_room();
  Connections& connections(Lane lane);
  FairThreads& threads(Lane lane);
  Result<void> attempt(Lane lane, const Statements& job,
                       std::chrono::steady_clock::duration limit = kCallLimit,
                       bool* is_unknown = nullptr);
  /// Returns whether the job that this thread ran last has to be waited out.
  static bool take_must_wait();
  static Task<void> wait_out();
  void connect(Connection& connection, Durability durability);
  static Result<void> read(sql::Connection& session, const Statements& job);
  Result<void> in_transaction(Lane lane, Connection& connection, const Statements& job);
  void begin(Lane lane, sql::Connection& session);
  std::unexpected<Error> taken_over();
  void commit(sql::Connection& session);
  bool others_may_remember(sql::Connection& session) const;
  void count_changes();
  Error failure(const sql::Failure& failed, Connection& connection);
  bool is_stalled() const;
  void note_stall();

  const Address address_;
  const Servers beside_;
  const std::span<const Migration> known_;
  const std::string node_;
  std::string holder_;    ///< Of the lock.
  bool opened_ = false;   ///< While false, failures go to `open`'s caller; afterwards, to the log.
  bool has_run_ = false;  ///< Set before is_guarded_ becomes true.
  std::atomic<bool> is_guarded_ = false;
  std::atomic<bool> is_taken_over_ = false;
  std::mutex taken_over_mutex_;
  std::function<void()> on_taken_over_;
  std::optional<CallDeadlines> deadlines_;  ///< PostgreSQL only.
  std::atomic<std::chrono::steady_clock::time_point> stalled_until_{};
  std::array<std::atomic<std::uint64_t>, kGenerations> changes_{};
  std::atomic<unsigned> losses_ = 0;  ///< Counts broken connections to PostgreSQL.
  std::unique_ptr<Connections> read_;
  std::unique_ptr<Connections> write_;
  std::unique_ptr<Connections> ordered_;
  std::unique_ptr<Connections> names_;
  /// Held by each transaction that writes to SQLite, whose own way to wait is to try again after
  /// ever longer pauses: a lane that writes without pause would keep the other waiting for seconds.
  TicketLock writers_;
  std::optional<WalReserve> reserve_;       ///< Set only on SQLite, if this object has the lock.
  std::unique_ptr<GenerationWatch> watch_;  ///< In a server on PostgreSQL.
  // Declared after the connections, so that the threads end before the connections are destroyed.
  FairThreads read_threads_{3, 2};
  FairThreads write_thread_{1, 1};
  FairThreads ordered_thread_{1, 1};
  FairThreads names_threads_{4, 2};
  std::unique_ptr<ServerLock> lock_;  ///< Declared last, since its thread uses all members above.
};

/// For a change that has no effect by itself, such as a reservation, or none when it is made twice:
/// if it is not known whether it was made (`in_doubt`), the request may be repeated (`unready`).
template <class T>
Result<T> may_repeat(Result<T> done) {
  if (!done && done.error().code == ErrorCode::in_doubt) done.error().code = ErrorCode::unready;
  return done;
}

template <class F>
std::invoke_result_t<F&, sql::Connection&> Database::run_here(Lane lane, F& job, bool* is_unknown) {
  std::optional<std::invoke_result_t<F&, sql::Connection&>> value;
  const Statements statements = [&](sql::Connection& session) -> Result<void> {
    value.emplace(job(session));
    if (!*value) return failure_of(*value);
    return {};
  };
  auto done = attempt(lane, statements, kCallLimit, is_unknown);
  if (!done) return failure_of(std::move(done));
  return std::move(*value);
}

template <class F>
Task<std::invoke_result_t<F>> Database::on_thread(Lane lane, Turn turn, F work) {
  Pool pool = threads(lane).of(turn.key());
  co_return co_await pool.run(std::move(work));
}

template <class F>
Task<std::invoke_result_t<F&, sql::Connection&>> Database::run(Lane lane, Turn turn, F job) {
  bool must_wait = false;
  auto work = [this, lane, &job, &must_wait] {
    auto done = run_here(lane, job);
    must_wait = take_must_wait();
    return done;
  };
  auto done = co_await on_thread(lane, turn, std::move(work));
  if (must_wait) co_await wait_out();
  co_return done;
}

}  // namespace coffer::catalog
