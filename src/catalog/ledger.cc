#include "catalog/ledger.h"

#include <soci/soci.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <stdexcept>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/random.h"
#include "catalog/database.h"
#include "catalog/rows.h"

namespace coffer::catalog {
namespace {

// No file is so large, and sums of it stay far from the 63 bits of a column.
constexpr std::uint64_t kLargestReservation = std::uint64_t{1} << 56;

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

bool account_exists(soci::session& sql, long long account) {
  long long count = 0;
  sql << "SELECT count(*) FROM quota_usage WHERE account_id = :account",
      soci::use(account, "account"), soci::into(count);
  return count > 0;
}

/// The two updates, prepared once for all calls of a batch.
class Updates {
 public:
  explicit Updates(soci::session& sql)
      : sql_(sql),
        reserve_((sql.prepare
                      << "UPDATE quota_usage SET reserved_bytes = reserved_bytes + :bytes, "
                         "version = version + 1 WHERE account_id = :account AND EXISTS (SELECT 1 "
                         "FROM accounts a WHERE a.id = quota_usage.account_id AND (a.quota_bytes = "
                         "0 OR :bytes <= a.quota_bytes - used_bytes - reserved_bytes))",
                  soci::use(reserved_, "bytes"), soci::use(account_, "account"))),
        settle_(
            (sql.prepare << "UPDATE quota_usage SET reserved_bytes = reserved_bytes + :reserved, "
                            "used_bytes = used_bytes + :used, version = version + 1 "
                            "WHERE account_id = :account",
             soci::use(reserved_, "reserved"), soci::use(used_, "used"),
             soci::use(account_, "account"))) {}

  Result<void> run(const Operation& operation) {
    account_ = operation.account.value;
    reserved_ = operation.reserved_delta;
    used_ = operation.used_delta;
    soci::statement& statement = operation.limited ? reserve_ : settle_;
    statement.execute(true);
    if (statement.get_affected_rows() > 0) return {};
    if (!account_exists(sql_, account_)) return no_such_account();
    return fail(ErrorCode::over_quota, "The storage quota does not have enough room.");
  }

 private:
  soci::session& sql_;
  long long account_ = 0;
  long long reserved_ = 0;
  long long used_ = 0;
  soci::statement reserve_;
  soci::statement settle_;
};

void add_to_node(soci::session& sql, const std::string& node, long long account, long long bytes) {
  sql << "INSERT INTO reservations (account_id, node, bytes) VALUES (:account, :node, :bytes) "
         "ON CONFLICT (account_id, node) DO UPDATE SET bytes = reservations.bytes + excluded.bytes",
      soci::use(account, "account"), soci::use(node, "node"), soci::use(bytes, "bytes");
}

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
  explicit Impl(Database& used) : database(used), node(random_hex(16)) {}

  Task<Result<void>> submit(Operation operation);
  void run_waiting();
  Result<void> run_batch(soci::session& sql, const std::vector<Operation*>& batch);

  Database& database;
  const std::string node;
  std::mutex mutex;
  std::vector<Operation*> waiting;
};

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
  std::vector<Operation*> batch;
  {
    const std::lock_guard lock(mutex);
    batch.swap(waiting);
  }
  Result<void> committed;
  auto job = [&](soci::session& sql) { return run_batch(sql, batch); };
  try {
    committed = database.run_here(Lane::ordered, job);
  } catch (const std::exception& error) {
    committed = fail(ErrorCode::failed, error.what());
  }
  for (Operation* operation : batch) {
    if (!committed) operation->result = committed;
    operation->done = true;
  }
}

Result<void> Ledger::Impl::run_batch(soci::session& sql, const std::vector<Operation*>& batch) {
  Updates updates(sql);
  std::map<long long, long long> reserved;
  // By account, and by arrival for each: batches of several nodes lock rows in one order then.
  std::multimap<AccountId, Operation*> ordered;
  for (Operation* operation : batch) ordered.emplace(operation->account, operation);
  for (const auto& [account, operation] : ordered) {
    operation->result = updates.run(*operation);
    if (operation->result) reserved[operation->account.value] += operation->reserved_delta;
  }
  for (const auto& [account, bytes] : reserved) {
    if (bytes != 0) add_to_node(sql, node, account, bytes);
  }
  return {};
}

Ledger::Ledger(Database& database) : impl_(std::make_unique<Impl>(database)) {}

Ledger::~Ledger() = default;

Task<Result<void>> Ledger::reserve(AccountId account, std::uint64_t bytes) {
  if (bytes > kLargestReservation) {
    co_return fail(ErrorCode::over_quota, "The storage quota does not have enough room.");
  }
  Operation operation{account, static_cast<long long>(bytes), 0, bytes > 0, false, {}};
  co_return co_await impl_->submit(std::move(operation));
}

Task<Result<void>> Ledger::settle(AccountId account, std::uint64_t reserved_bytes,
                                  std::int64_t used_delta) {
  if (reserved_bytes > kLargestReservation || std::cmp_greater(used_delta, reserved_bytes)) {
    throw std::logic_error("A settlement counts more than was reserved.");
  }
  Operation operation{account, -static_cast<long long>(reserved_bytes), used_delta, false, false,
                      {}};
  co_return co_await impl_->submit(std::move(operation));
}

Task<Result<Usage>> Ledger::usage(AccountId account) {
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
  auto job = [=](soci::session& sql) -> Result<bool> {
    const long long id = account.value;
    const long long used = to_column(used_bytes);
    const long long expected = version;
    soci::statement statement =
        (sql.prepare << "UPDATE quota_usage SET used_bytes = :used, version = version + 1 WHERE "
                        "account_id = :account AND version = :expected AND reserved_bytes = 0",
         soci::use(used, "used"), soci::use(id, "account"), soci::use(expected, "expected"));
    statement.execute(true);
    if (statement.get_affected_rows() > 0) return true;
    if (!account_exists(sql, id)) return no_such_account();
    return false;
  };
  co_return co_await impl_->database.run(Lane::ordered, std::move(job));
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
  auto job = [this](soci::session& sql) -> Result<void> {
    void_node(sql, impl_->node);
    return {};
  };
  co_return co_await impl_->database.run(Lane::write, std::move(job));
}

}  // namespace coffer::catalog
