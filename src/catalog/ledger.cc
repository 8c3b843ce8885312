#include "catalog/ledger.h"

#include <soci/soci.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <map>
#include <mutex>
#include <stdexcept>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/log.h"
#include "base/random.h"
#include "catalog/database.h"
#include "catalog/leases.h"
#include "catalog/ledger_updates.h"
#include "catalog/rows.h"

namespace coffer::catalog {
namespace {

// No file is so large, and sums of it stay far from the 63 bits of a column.
constexpr std::uint64_t kLargestReservation = std::uint64_t{1} << 56;
/// How much is reserved ahead for the next writes of an account, but only where so much is free
/// that nobody else is refused because of it.
constexpr long long kLease = 8LL << 20;
constexpr long long kLeaseHeadroom = 16 * kLease;
constexpr std::chrono::milliseconds kFlushDelay{50};

std::unexpected<Error> no_such_account() {
  return fail(ErrorCode::not_found, "There is no such account.");
}

/// One call that waits for its turn in a transaction.
struct Operation {
  AccountId account;
  long long reserved_delta = 0;
  long long used_delta = 0;
  bool limited = false;
  bool done = false;
  Result<void> result;
};

// Drops a dead node's reservations out of the sums.
void void_node(soci::session& sql, const std::string& node) {
  sql << "UPDATE quota_usage SET version = version + 1, reserved_bytes = reserved_bytes - "
         "(SELECT r.bytes FROM reservations r WHERE r.account_id = quota_usage.account_id AND "
         "r.node = :node) WHERE account_id IN (SELECT account_id FROM reservations WHERE node = "
         ":node)",
      soci::use(node, "node");
  sql << "DELETE FROM reservations WHERE node = :node", soci::use(node, "node");
  sql << "DELETE FROM runs WHERE node = :node", soci::use(node, "node");
}

// The nodes that did not end. One server uses a catalog at a time, so whatever is noted when one
// begins is dead; a catalog that several nodes share has to tell living ones apart here.
std::vector<std::string> dead_nodes(soci::session& sql) {
  soci::rowset<std::string> rows = (sql.prepare << "SELECT node FROM runs ORDER BY node");
  return {rows.begin(), rows.end()};
}

}  // namespace

class Ledger::Impl {
 public:
  explicit Impl(Database& used) : database(used), node(random_hex(16)) {
    database.watch_ordered([all = leases](const WalStamp& before, const WalStamp& after) {
      all->advance(before, after);
    });
  }
  ~Impl() {
    for (int left = flushes; left != 0; left = flushes) flushes.wait(left);
  }

  Task<Result<void>> submit(Operation operation);
  void run_waiting();
  Result<void> run_one(LedgerUpdates& updates, const Operation& operation);
  /// Writes all that is owed; whatever another call collected is written when it returns.
  Task<Result<void>> flush();
  Result<void> flush_here();
  void flush_soon();
  /// Runs `job(LedgerUpdates&, soci::session&)`, which returns a Result, in a transaction that
  /// writes first what is owed. On the ordered lane's thread.
  template <class F>
  auto in_transaction(F job);
  bool leases_quota() const { return database.is_sqlite(); }
  bool take_leased(AccountId account, std::uint64_t bytes) {
    return leases_quota() && bytes > 0 && leases->take(database.stamp(), account, bytes);
  }

  Database& database;
  const std::string node;
  const std::shared_ptr<Leases> leases = std::make_shared<Leases>();
  std::mutex mutex;
  std::vector<Operation*> waiting;
  std::map<AccountId, long long> granted;  ///< In the transaction that runs.
  std::atomic<bool> flush_is_due = false;
  std::atomic<int> flushes = 0;  ///< That are due or run.
};

template <class F>
auto Ledger::Impl::in_transaction(F job) {
  std::vector<Owed> owed;
  auto whole = [&](soci::session& sql) {
    owed = leases->collect(leases_quota() ? database.stamp() : WalStamp{});
    LedgerUpdates updates(sql);
    for (const Owed& one : owed) {
      updates.change(one.account, one.reserved_delta, one.used_delta);
    }
    auto result = job(updates, sql);
    if (result) updates.note(node);
    return result;
  };
  try {
    auto result = database.run_here(Lane::ordered, whole);
    if (!result) leases->restore(owed);
    return result;
  } catch (...) {
    leases->restore(owed);
    throw;
  }
}

Task<Result<void>> Ledger::Impl::submit(Operation operation) {
  {
    const std::lock_guard lock(mutex);
    waiting.push_back(&operation);
  }
  // The lane has one thread: the first of these calls serves all that wait, and when a later one
  // gets its turn, its operation is done.
  auto work = [&] {
    if (!operation.done) run_waiting();
  };
  co_await database.on_thread(Lane::ordered, std::move(work));
  co_return std::move(operation.result);
}

void Ledger::Impl::run_waiting() {
  // By account, and by arrival for each: batches of several nodes lock rows in one order then.
  std::multimap<AccountId, Operation*> batch;
  {
    const std::lock_guard lock(mutex);
    for (Operation* operation : waiting) batch.emplace(operation->account, operation);
    waiting.clear();
  }
  granted.clear();
  Result<void> committed;
  try {
    committed = in_transaction([&](LedgerUpdates& updates, soci::session&) -> Result<void> {
      for (auto& [account, operation] : batch) operation->result = run_one(updates, *operation);
      return {};
    });
  } catch (const std::exception& error) {
    committed = fail(ErrorCode::failed, error.what());
  }
  for (auto& [account, operation] : batch) {
    if (!committed) operation->result = committed;
    operation->done = true;
  }
  if (!committed || granted.empty()) return;
  for (const auto& [account, bytes] : granted)
    leases->grant(account, static_cast<std::uint64_t>(bytes));
  flush_soon();
}

Result<void> Ledger::Impl::run_one(LedgerUpdates& updates, const Operation& operation) {
  const AccountId account = operation.account;
  const long long bytes = operation.reserved_delta;
  if (!operation.limited) {
    if (updates.change(account, bytes, operation.used_delta)) return {};
    return no_such_account();
  }
  if (const auto lease = granted.find(account); lease != granted.end() && lease->second >= bytes) {
    lease->second -= bytes;
    return {};
  }
  if (leases_quota() && bytes <= kLease &&
      updates.reserve(account, bytes + kLease, kLeaseHeadroom)) {
    granted[account] += kLease;
    return {};
  }
  if (updates.reserve(account, bytes, 0)) return {};
  if (!updates.account_exists(account)) return no_such_account();
  return fail(ErrorCode::over_quota, "The storage quota does not have enough room.");
}

Task<Result<void>> Ledger::Impl::flush() {
  auto work = [this] { return flush_here(); };
  co_return co_await database.on_thread(Lane::ordered, std::move(work));
}

Result<void> Ledger::Impl::flush_here() {
  if (leases->empty()) return {};
  return in_transaction([](LedgerUpdates&, soci::session&) -> Result<void> { return {}; });
}

// So that others see the figures soon, and a lease does not stay with a process that is idle. What
// cannot be written now stays owed; the log says why.
void Ledger::Impl::flush_soon() {
  if (flush_is_due.exchange(true)) return;
  ++flushes;
  database.post_after(Lane::ordered, kFlushDelay, [this] {
    flush_is_due = false;
    try {
      (void)flush_here();
    } catch (const std::exception& error) {
      spdlog::error("the quota's figures were not written: {}", error.what());
    }
    --flushes;
    flushes.notify_all();
  });
}

Ledger::Ledger(Database& database) : impl_(std::make_unique<Impl>(database)) {}

Ledger::~Ledger() = default;

Task<Result<void>> Ledger::reserve(AccountId account, std::uint64_t bytes) {
  if (bytes > kLargestReservation) {
    co_return fail(ErrorCode::over_quota, "The storage quota does not have enough room.");
  }
  if (impl_->take_leased(account, bytes)) co_return Result<void>{};
  Operation operation{account, static_cast<long long>(bytes), 0, bytes > 0, false, {}};
  co_return co_await impl_->submit(std::move(operation));
}

Task<Result<void>> Ledger::hold(AccountId account) {
  if (impl_->take_leased(account, kHeldBytes)) co_return Result<void>{};
  Operation operation{account, static_cast<long long>(kHeldBytes), 0, false, false, {}};
  co_return co_await impl_->submit(std::move(operation));
}

Task<Result<void>> Ledger::settle(AccountId account, std::uint64_t reserved_bytes,
                                  std::int64_t used_delta) {
  if (reserved_bytes > kLargestReservation || std::cmp_greater(used_delta, reserved_bytes)) {
    throw std::logic_error("A settlement counts more than was reserved.");
  }
  if (impl_->leases_quota() && reserved_bytes > 0) {
    impl_->leases->settle(account, reserved_bytes, used_delta);
    impl_->flush_soon();
    co_return Result<void>{};
  }
  Operation operation{account, -static_cast<long long>(reserved_bytes), used_delta, false, false,
                      {}};
  co_return co_await impl_->submit(std::move(operation));
}

Task<Result<Usage>> Ledger::usage(AccountId account) {
  if (impl_->leases_quota()) {
    auto flushed = co_await impl_->flush();
    if (!flushed) co_return failure_of(std::move(flushed));
  }
  auto job = [account](soci::session& sql) -> Result<Usage> {
    const long long id = account.value;
    long long used = 0;
    long long reserved = 0;
    long long limit = 0;
    long long version = 0;
    sql << "SELECT u.used_bytes, u.reserved_bytes, a.quota_bytes, u.version FROM quota_usage u "
           "JOIN accounts a ON a.id = u.account_id WHERE u.account_id = :account",
        soci::use(id, "account"), soci::into(used), soci::into(reserved), soci::into(limit),
        soci::into(version);
    if (!sql.got_data()) return no_such_account();
    // Settlements may overtake one another: what replaced a file can be counted before the file.
    used = std::max(used, 0LL);
    return Usage{static_cast<std::uint64_t>(used), static_cast<std::uint64_t>(reserved),
                 static_cast<std::uint64_t>(limit), version};
  };
  co_return co_await impl_->database.run(Lane::read, std::move(job));
}

Task<Result<bool>> Ledger::correct(AccountId account, std::uint64_t used_bytes,
                                   std::int64_t version) {
  auto job = [=](LedgerUpdates& updates, soci::session& sql) -> Result<bool> {
    const long long id = account.value;
    const long long used = to_column(used_bytes);
    const long long expected = version;
    soci::statement statement =
        (sql.prepare << "UPDATE quota_usage SET used_bytes = :used, version = version + 1 WHERE "
                        "account_id = :account AND version = :expected AND reserved_bytes = 0",
         soci::use(used, "used"), soci::use(id, "account"), soci::use(expected, "expected"));
    statement.execute(true);
    if (statement.get_affected_rows() > 0) return true;
    if (!updates.account_exists(account)) return no_such_account();
    return false;
  };
  auto work = [&] { return impl_->in_transaction(job); };
  co_return co_await impl_->database.on_thread(Lane::ordered, std::move(work));
}

// Both notes are on the disk before anything else counts: the ledger's own commits need no fsync
// only because the note of a run that did not end outlives a power failure and brings a recount.
Task<Result<bool>> Ledger::begin_run() {
  auto job = [this](soci::session& sql) -> Result<bool> {
    const auto dead = dead_nodes(sql);
    for (const std::string& node : dead) void_node(sql, node);
    const long long started_at = to_column(now());
    sql << "INSERT INTO runs (node, started_at) VALUES (:node, :started_at)",
        soci::use(impl_->node, "node"), soci::use(started_at, "started_at");
    return !dead.empty();
  };
  co_return co_await impl_->database.run(Lane::write, std::move(job));
}

// One fsync of the log makes every commit before it durable too, the ledger's included.
Task<Result<void>> Ledger::end_run() {
  auto flushed = co_await impl_->flush();
  if (!flushed) co_return flushed;
  auto job = [this](soci::session& sql) -> Result<void> {
    void_node(sql, impl_->node);
    return {};
  };
  co_return co_await impl_->database.run(Lane::write, std::move(job));
}

}  // namespace coffer::catalog
