#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "async/pool.h"
#include "async/task.h"
#include "base/error.h"
#include "catalog/session.h"
#include "catalog/wal_stamp.h"

namespace coffer::catalog {

/// Where a job runs. Each lane has threads and connections of its own, so that no reader waits for
/// a writer's fsync.
enum class Lane {
  read,     ///< Two threads. On SQLite a job sees one snapshot.
  write,    ///< One thread, in a transaction; on the disk when it returns.
  ordered,  ///< One thread, in a transaction; a power failure may undo the last ones on SQLite.
};

/// The connections to the database. Safe from any thread; must outlive every job.
class Database {
 public:
  /// Connects and migrates; `failed` or `invalid` with one clear line.
  static Result<std::unique_ptr<Database>> open(const std::string& url);
  ~Database();

  /// Runs `job(soci::session&)`, which returns a Result, on the lane and resumes the awaiter on its
  /// executor. A failed result rolls back. An error of the database is `failed`, and the log
  /// says more; where a connection to PostgreSQL broke, the next call makes a new one.
  template <class F>
  Task<std::invoke_result_t<F&, soci::session&>> run(Lane lane, F job);
  /// The same on the calling thread, which must not be an I/O thread.
  template <class F>
  std::invoke_result_t<F&, soci::session&> run_here(Lane lane, F& job);
  /// Runs `work()`, which calls `run_here`, on the lane's thread.
  template <class F>
  Task<std::invoke_result_t<F>> on_thread(Lane lane, F work);

  bool is_sqlite() const { return address_.kind == Address::Kind::sqlite; }
  /// SQLite only: changes with every commit of any process.
  WalStamp stamp() const { return stamps_->read(); }
  /// Runs `work()`, which must not throw and calls `run_here`, on the lane's thread after a while.
  template <class F>
  void post_after(Lane lane, std::chrono::steady_clock::duration delay, F work) {
    threads(lane).post_after(delay, std::move(work));
  }

  /// SQLite only: calls `observer` with the stamps before and after each commit of the ordered lane
  /// between which no other process committed. To be set before the lane is used; it is kept and
  /// called as long as the database lives.
  using OrderedCommit = std::function<void(const WalStamp& before, const WalStamp& after)>;
  void watch_ordered(OrderedCommit observer) { observers_.push_back(std::move(observer)); }

 private:
  struct Connections;
  struct Connection;
  using Job = std::function<Result<void>(soci::session&)>;

  explicit Database(Address address);
  Result<void> prepare();
  Connections& connections(Lane lane);
  Pool& threads(Lane lane);
  Result<void> attempt(Lane lane, const Job& job);
  Result<void> in_transaction(Lane lane, soci::session& session, const Job& job);
  void commit(Lane lane, soci::session& session);
  Error failure(const soci::soci_error& error, Connection& connection);

  Address address_;
  bool opened_ = false;  ///< Until then, failures are told to who opens it; later, to the log.
  std::vector<OrderedCommit> observers_;
  std::atomic<unsigned> losses_ = 0;  ///< How often a connection to PostgreSQL broke.
  std::unique_ptr<Connections> read_;
  std::unique_ptr<Connections> write_;
  std::unique_ptr<Connections> ordered_;
  std::optional<WalStampReader> stamps_;
  // Last, so that they are joined before the connections go.
  Pool read_threads_{2};
  Pool write_thread_{1};
  Pool ordered_thread_{1};
};

template <class F>
std::invoke_result_t<F&, soci::session&> Database::run_here(Lane lane, F& job) {
  std::optional<std::invoke_result_t<F&, soci::session&>> value;
  auto done = attempt(lane, [&](soci::session& session) -> Result<void> {
    value.emplace(job(session));
    if (!*value) return failure_of(*value);
    return {};
  });
  if (!done) return failure_of(std::move(done));
  return std::move(*value);
}

template <class F>
Task<std::invoke_result_t<F>> Database::on_thread(Lane lane, F work) {
  co_return co_await threads(lane).run(std::move(work));
}

template <class F>
Task<std::invoke_result_t<F&, soci::session&>> Database::run(Lane lane, F job) {
  auto work = [this, lane, &job] { return run_here(lane, job); };
  co_return co_await on_thread(lane, std::move(work));
}

}  // namespace coffer::catalog
