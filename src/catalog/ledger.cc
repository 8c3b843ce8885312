#include "catalog/ledger.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "base/id.h"
#include "base/log.h"
#include "catalog/account_rows.h"
#include "catalog/database.h"
#include "catalog/runs.h"
#include "sql/connection.h"

namespace coffer::catalog {
namespace {

// Larger than any file; sums of it fit into the 63 bits of a column.
constexpr std::uint64_t kLargestReservation = std::uint64_t{1} << 56;
/// The bytes reserved ahead for the next writes of an account, if enough is free that no other
/// request is refused because of it.
constexpr long long kLease = 8LL << 20;
constexpr long long kLeaseHeadroom = 16 * kLease;
constexpr std::chrono::milliseconds kFlushDelay{50};
constexpr int kBeginTries = 40;
constexpr std::chrono::milliseconds kBeginPause{50};
/// A failed flush is tried again after a delay that doubles each time, up to this.
constexpr std::chrono::milliseconds kLongestFlushDelay{2000};

/// The changes of one account that are not written to the database yet.
struct Owed {
  AccountId account;
  long long reserved_delta = 0;
  long long used_delta = 0;
};

/// Bytes of quota that the database counts as reserved and that this process lends to writes
/// without a transaction. A lease ends when it is collected. It is not used after a change of
/// accounts, which may have changed the limit. Safe from any thread.
class Leases {
 public:
  /// Takes `bytes` from the account's lease; false if it has no lease with as many. `now` is the
  /// count of changes of accounts; a lease of an earlier count is not used.
  bool take(std::uint64_t now, AccountId account, std::uint64_t bytes);
  /// Returns `reserved_bytes` to the lease, of which `used_delta` were used.
  void record(AccountId account, std::uint64_t reserved_bytes, std::int64_t used_delta);

  /// Ends all leases, or that of one account, and returns the unwritten changes, for the caller to
  /// write in its transaction. `now` is the count in that transaction.
  std::vector<Owed> collect(std::uint64_t now, std::optional<AccountId> only);
  /// Ends all leases; the changes stay unwritten.
  void end();
  /// Returns the accounts that have unwritten changes.
  std::vector<AccountId> accounts() const;
  /// True if there is nothing to collect.
  bool empty() const;
  /// Returns the unwritten changes of the account, and ends no lease.
  Owed owed(AccountId account) const;
  /// Adds unwritten changes again, after the transaction that wrote them failed.
  void restore(const std::vector<Owed>& owed);
  /// Begins a lease after the transaction that reserved it.
  void grant(AccountId account, std::uint64_t bytes);

 private:
  struct Lease {
    bool granted = false;
    std::uint64_t free = 0;  ///< The bytes left, while granted.
    Owed owed;               ///< Without `free`.
  };
  Lease& at(AccountId account);
  void end_locked();
  static Owed owed_of(const Lease& lease);

  mutable std::mutex mutex_;
  std::uint64_t changes_ = 0;
  std::map<AccountId, Lease> leases_;
};

Leases::Lease& Leases::at(AccountId account) {
  Lease& lease = leases_[account];
  lease.owed.account = account;
  return lease;
}

bool Leases::take(std::uint64_t now, AccountId account, std::uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  if (now != changes_) return false;
  const auto found = leases_.find(account);
  if (found == leases_.end() || !found->second.granted || found->second.free < bytes) return false;
  found->second.free -= bytes;
  return true;
}

void Leases::record(AccountId account, std::uint64_t reserved_bytes, std::int64_t used_delta) {
  const std::lock_guard lock(mutex_);
  Lease& lease = at(account);
  const auto used = static_cast<std::uint64_t>(std::max<std::int64_t>(used_delta, 0));
  // Used bytes stay reserved in the database until the use is written.
  lease.owed.used_delta += used_delta;
  lease.owed.reserved_delta -= static_cast<long long>(used);
  const std::uint64_t unused = reserved_bytes - used;
  if (lease.granted) {
    lease.free += unused;
  } else {
    lease.owed.reserved_delta -= static_cast<long long>(unused);
  }
}

Owed Leases::owed_of(const Lease& lease) {
  Owed owed = lease.owed;
  owed.reserved_delta -= static_cast<long long>(lease.free);
  return owed;
}

Owed Leases::owed(AccountId account) const {
  const std::lock_guard lock(mutex_);
  const auto found = leases_.find(account);
  return found == leases_.end() ? Owed{account} : owed_of(found->second);
}

std::vector<Owed> Leases::collect(std::uint64_t now, std::optional<AccountId> only) {
  const std::lock_guard lock(mutex_);
  std::vector<Owed> all;
  for (auto each = leases_.begin(); each != leases_.end();) {
    if (only && each->first != *only) {
      ++each;
      continue;
    }
    const Owed owed = owed_of(each->second);
    if (owed.reserved_delta != 0 || owed.used_delta != 0) all.push_back(owed);
    each = leases_.erase(each);
  }
  if (now != changes_) end_locked();
  changes_ = now;
  return all;
}

void Leases::end() {
  const std::lock_guard lock(mutex_);
  end_locked();
}

void Leases::end_locked() {
  for (auto& [account, lease] : leases_) {
    lease.owed = owed_of(lease);
    lease.free = 0;
    lease.granted = false;
  }
}

std::vector<AccountId> Leases::accounts() const {
  const std::lock_guard lock(mutex_);
  std::vector<AccountId> all;
  for (const auto& [account, lease] : leases_) all.push_back(account);
  return all;
}

bool Leases::empty() const {
  const std::lock_guard lock(mutex_);
  return leases_.empty();
}

void Leases::restore(const std::vector<Owed>& owed) {
  const std::lock_guard lock(mutex_);
  for (const Owed& one : owed) {
    Lease& lease = at(one.account);
    lease.owed.reserved_delta += one.reserved_delta;
    lease.owed.used_delta += one.used_delta;
  }
}

void Leases::grant(AccountId account, std::uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  Lease& lease = at(account);
  lease.granted = true;
  lease.free += bytes;
}

/// The ledger's changes in one transaction. It sums up the reservations of each account, which are
/// noted for the node at the end. Accounts must come in the order of their ids, so that all nodes
/// lock rows in the same order.
class LedgerUpdates {
 public:
  explicit LedgerUpdates(sql::Connection& sql) : sql_(sql) {}

  /// Adds what is owed. It is written when its account's turn comes, before other changes of it.
  void owe(const std::vector<Owed>& owed);
  /// Writes what accounts up to this one owe. Takes no round trip.
  void reach(AccountId account);

  /// Returns false if `bytes` and `headroom` together exceed the limit, or an exbibyte, or there is
  /// no such account.
  bool reserve(AccountId account, long long bytes, long long headroom);
  /// Changes the figures regardless of the limit; false if there is no such account.
  bool change(AccountId account, long long reserved_delta, long long used_delta);
  bool account_exists(AccountId account);
  /// Returns the number that the node's last transaction set; 0 if none did. Waits for one that is
  /// still under way. PostgreSQL only.
  long long last_entry(const std::string& node);
  /// Must come first, with ever greater numbers: a transaction of an earlier number that begins
  /// later fails. PostgreSQL only.
  void set_entry(const std::string& node, long long entry);
  /// Writes what is still owed, and notes the sums, so that they can be dropped after a crash of
  /// the node. Call it last.
  void finish(const std::string& node);

 private:
  sql::Connection& sql_;
  std::map<AccountId, Owed> owed_;
  std::map<AccountId, long long> sums_;
};

// An exbibyte, which stands for unlimited; sums of it fit into the 63 bits of a column.
constexpr long long kMostBytes = 1LL << 60;
constexpr std::string_view kChange =
    "UPDATE quota_usage SET reserved_bytes = reserved_bytes + $2, used_bytes = used_bytes + $3, "
    "version = version + 1 WHERE account_id = $1";

void LedgerUpdates::owe(const std::vector<Owed>& owed) {
  for (const Owed& one : owed) {
    Owed& sum = owed_[one.account];
    sum.account = one.account;
    sum.reserved_delta += one.reserved_delta;
    sum.used_delta += one.used_delta;
  }
}

void LedgerUpdates::reach(AccountId account) {
  const auto end = owed_.upper_bound(account);
  for (auto each = owed_.begin(); each != end; each = owed_.erase(each)) {
    const Owed& owed = each->second;
    sql_.run(kChange, owed.account, owed.reserved_delta, owed.used_delta);
    sums_[owed.account] += owed.reserved_delta;
  }
}

bool LedgerUpdates::reserve(AccountId account, long long bytes, long long headroom) {
  reach(account);
  const auto changed = sql_.change(
      "UPDATE quota_usage SET reserved_bytes = reserved_bytes + $2, version = version + 1 "
      "WHERE account_id = $1 AND EXISTS (SELECT 1 FROM accounts a WHERE a.id = "
      "quota_usage.account_id AND $3 <= CASE WHEN a.quota_bytes BETWEEN 1 AND $4 "
      "THEN a.quota_bytes ELSE $4 END - used_bytes - reserved_bytes)",
      account, bytes, bytes + headroom, kMostBytes);
  if (changed == 0) return false;
  sums_[account] += bytes;
  return true;
}

bool LedgerUpdates::change(AccountId account, long long reserved_delta, long long used_delta) {
  reach(account);
  if (sql_.change(kChange, account, reserved_delta, used_delta) == 0) return false;
  sums_[account] += reserved_delta;
  return true;
}

bool LedgerUpdates::account_exists(AccountId account) {
  return sql_.only<int>("SELECT count(*) FROM quota_usage WHERE account_id = $1", account) > 0;
}

long long LedgerUpdates::last_entry(const std::string& node) {
  return sql_.value<long long>("SELECT ledger_entry FROM runs WHERE node = $1 FOR UPDATE", node)
      .value_or(0);
}

void LedgerUpdates::set_entry(const std::string& node, long long entry) {
  sql_.run("UPDATE runs SET ledger_entry = $2 WHERE node = $1 AND ledger_entry < $2", node, entry);
  // The square root of a negative number fails.
  sql_.run("SELECT sqrt(-(SELECT count(*) FROM runs WHERE node = $1 AND ledger_entry <> $2))", node,
           entry);
}

void LedgerUpdates::finish(const std::string& node) {
  if (!owed_.empty()) reach(owed_.rbegin()->first);
  for (const auto& [account, bytes] : sums_) {
    if (bytes == 0) continue;
    sql_.run(
        "INSERT INTO reservations (account_id, node, bytes) SELECT id, CAST($2 AS TEXT), "
        "CAST($3 AS BIGINT) FROM accounts WHERE id = $1 ON CONFLICT (account_id, node) "
        "DO UPDATE SET bytes = reservations.bytes + excluded.bytes",
        account, node, bytes);
  }
}

/// Reads the figures in the database and adds the unwritten changes.
Result<Usage> read_usage(sql::Connection& sql, AccountId account, const Owed& owed) {
  const auto row = sql.first(
      "SELECT u.used_bytes, u.reserved_bytes, a.quota_bytes, u.version FROM quota_usage u "
      "JOIN accounts a ON a.id = u.account_id WHERE u.account_id = $1",
      account);
  if (!row) return no_such_account();
  auto used = row->get<long long>(0);
  auto reserved = row->get<long long>(1);
  // Records may overtake one another: that of a replacement may come before that of its file.
  used = std::max(used + owed.used_delta, 0LL);
  reserved = std::max(reserved + owed.reserved_delta, 0LL);
  return Usage{static_cast<std::uint64_t>(used), static_cast<std::uint64_t>(reserved),
               row->get<std::uint64_t>(2), row->get<std::int64_t>(3)};
}

/// A call that waits for its transaction.
struct Operation {
  AccountId account;
  long long reserved_delta = 0;
  long long used_delta = 0;
  bool limited = false;
  bool is_record = false;  ///< It records a fact, which is written later if it cannot be now.
  bool done = false;
  Result<void> result = {};
};

/// A transaction with an unknown outcome, and the changes that are unwritten in either case.
struct Doubt {
  long long entry = 0;
  std::vector<Owed> if_written;
  std::vector<Owed> if_lost;
};

}  // namespace

class Ledger::Impl {
 public:
  explicit Impl(Database& used) : database(used), node(used.node()) {}
  ~Impl() {
    is_ending = true;
    for (int left = flushes; left != 0; left = flushes) flushes.wait(left);
  }

  Task<Result<void>> submit(Operation operation);
  void run_waiting();
  using Batch = std::multimap<AccountId, Operation*>;
  bool run_batch(const Batch& batch, std::optional<AccountId> only = {});
  void take_failure(Operation& operation, const Error& error);
  Result<void> run_one(LedgerUpdates& updates, const Operation& operation);
  /// Writes all changes, including those that another call has collected.
  Task<Result<void>> flush(Turn turn);
  Result<void> flush_here();
  void flush_soon() { flush_after(kFlushDelay); }
  void flush_after(std::chrono::milliseconds delay);
  bool try_flush();
  /// Runs `job(LedgerUpdates&, sql::Connection&)`, which returns a Result, in a transaction that
  /// writes the unwritten changes first. Call it on the ordered lane's thread.
  /// With `only`, writes those of one account.
  template <class F>
  auto in_transaction(F job, std::optional<AccountId> only = {});
  std::vector<Owed> resolve_doubt(LedgerUpdates& updates) const;
  void tell_used(AccountId account, std::int64_t delta) const {
    if (delta != 0 && on_used) on_used(account);
  }
  bool owes_nothing() const { return leases->empty() && !is_in_doubt; }
  bool take_leased(AccountId account, std::uint64_t bytes) {
    return bytes > 0 && !database.is_taken_over() &&
           leases->take(database.changes(Generation::auth), account, bytes);
  }

  Database& database;
  const std::string& node;
  std::function<void(AccountId)> on_used;
  const std::shared_ptr<Leases> leases = std::make_shared<Leases>();
  std::mutex mutex;
  std::vector<Operation*> waiting;
  std::map<AccountId, long long> granted;  ///< In the transaction that runs.
  std::atomic<bool> flush_is_due = false;
  std::atomic<int> flushes = 0;  ///< Those due or running.
  std::atomic<bool> is_ending = false;
  // The members below belong to the ordered lane's thread.
  long long entry =
      0;  ///< The number of the last transaction that reached its commit. PostgreSQL only.
  std::optional<Doubt> doubt;
  std::atomic<bool> is_in_doubt = false;  ///< The same, for any thread.
  bool failed_at_commit = false;          ///< The last transaction.
};

template <class F>
auto Ledger::Impl::in_transaction(F job, std::optional<AccountId> only) {
  std::vector<Owed> owed;
  std::vector<Owed> doubtful;
  bool has_begun = false;
  bool is_unknown = false;
  auto whole = [&](sql::Connection& sql) {
    has_begun = true;
    owed = leases->collect(database.changes(Generation::auth), only);
    LedgerUpdates updates(sql);
    doubtful = resolve_doubt(updates);
    if (!database.is_sqlite()) updates.set_entry(node, ++entry);
    updates.owe(owed);
    updates.owe(doubtful);
    auto result = job(updates, sql);
    if (!result) return result;
    updates.finish(node);
    return result;
  };
  failed_at_commit = false;
  try {
    auto result = database.run_here(Lane::ordered, whole, &is_unknown);
    if (result) {
      doubt.reset();
    } else if (!has_begun) {
      leases->end();  // What is lent must not outlive the database.
    } else if (is_unknown && !database.is_sqlite()) {
      failed_at_commit = true;
      owed.insert(owed.end(), doubtful.begin(), doubtful.end());
      doubt = Doubt{entry, {}, std::move(owed)};
    } else {
      leases->restore(owed);
    }
    is_in_doubt = doubt.has_value();
    return result;
  } catch (...) {
    leases->restore(owed);
    throw;
  }
}

// No transaction was committed between the one in doubt and this one.
std::vector<Owed> Ledger::Impl::resolve_doubt(LedgerUpdates& updates) const {
  if (!doubt) return {};
  return updates.last_entry(node) == doubt->entry ? doubt->if_written : doubt->if_lost;
}

Task<Result<void>> Ledger::Impl::submit(Operation operation) {
  {
    const std::lock_guard lock(mutex);
    waiting.push_back(&operation);
  }
  // The lane has one thread: the first call runs all waiting operations of all accounts, so that a
  // later call finds its operation done.
  auto work = [&] {
    if (!operation.done) run_waiting();
  };
  co_await database.on_thread(Lane::ordered, operation.account, std::move(work));
  co_return std::move(operation.result);
}

void Ledger::Impl::run_waiting() {
  // Sorted by account, and by arrival for each, so that all nodes lock rows in the same order.
  Batch batch;
  {
    const std::lock_guard lock(mutex);
    for (Operation* operation : waiting) batch.emplace(operation->account, operation);
    waiting.clear();
  }
  if (run_batch(batch)) return;
  // Runs each alone, so that a failure concerns one operation.
  for (const auto& one : batch) (void)run_batch({one}, one.first);
}

bool Ledger::Impl::run_batch(const Batch& batch, std::optional<AccountId> only) {
  granted.clear();
  Result<void> committed;
  try {
    auto job = [&](LedgerUpdates& updates, sql::Connection&) -> Result<void> {
      for (auto& [account, operation] : batch) operation->result = run_one(updates, *operation);
      return {};
    };
    committed = in_transaction(std::move(job), only);
  } catch (const std::exception& error) {
    committed = fail(ErrorCode::failed, error.what());
  }
  if (!committed && !failed_at_commit && !only) return false;
  for (auto& [account, operation] : batch) {
    if (!committed) take_failure(*operation, committed.error());
    operation->done = true;
  }
  for (const auto& [account, bytes] : granted) {
    if (committed) leases->grant(account, static_cast<std::uint64_t>(bytes));
    if (failed_at_commit) doubt->if_written.push_back({account, -bytes, 0});
  }
  if (!owes_nothing()) flush_soon();
  return true;
}

// Answers an operation that was not written, or whose outcome is unknown.
void Ledger::Impl::take_failure(Operation& operation, const Error& error) {
  const Owed owed{operation.account, operation.reserved_delta, operation.used_delta};
  if (!operation.is_record) {
    const Owed back{operation.account, -operation.reserved_delta, 0};
    if (failed_at_commit && operation.result) doubt->if_written.push_back(back);
    operation.result = std::unexpected(error);
  } else if (operation.result) {
    if (failed_at_commit) doubt->if_lost.push_back(owed);
    if (!failed_at_commit) leases->restore({owed});
  }
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
  if (bytes <= kLease && updates.reserve(account, bytes + kLease, kLeaseHeadroom)) {
    granted[account] += kLease;
    return {};
  }
  if (updates.reserve(account, bytes, 0)) return {};
  if (!updates.account_exists(account)) return no_such_account();
  return fail_over_quota();
}

Task<Result<void>> Ledger::Impl::flush(Turn turn) {
  auto work = [this] { return flush_here(); };
  co_return co_await database.on_thread(Lane::ordered, turn, std::move(work));
}

Result<void> Ledger::Impl::flush_here() {
  if (owes_nothing()) return {};
  const auto nothing = [](LedgerUpdates&, sql::Connection&) -> Result<void> { return {}; };
  auto flushed = in_transaction(nothing);
  const bool is_definite = !flushed && flushed.error().code == ErrorCode::failed;
  if (!is_definite || failed_at_commit) return flushed;
  // One account whose figures cannot be written holds up no other.
  flushed = {};
  for (const AccountId account : leases->accounts()) {
    auto alone = in_transaction(nothing, account);
    if (!alone) flushed = std::move(alone);
  }
  return flushed;
}

// Lets other processes see the figures soon, and ends the lease of an idle process. Changes that
// cannot be written now are tried again; the log says why.
void Ledger::Impl::flush_after(std::chrono::milliseconds delay) {
  if (is_ending || database.is_taken_over() || flush_is_due.exchange(true)) return;
  ++flushes;
  database.post_after(Lane::ordered, Turn::server(), delay, [this, delay] {
    flush_is_due = false;
    if (!try_flush()) flush_after(std::min(2 * delay, kLongestFlushDelay));
    --flushes;
    flushes.notify_all();
  });
}

bool Ledger::Impl::try_flush() {
  try {
    return flush_here().has_value();
  } catch (const std::exception& error) {
    spdlog::error("the quota's figures were not written: {}", error.what());
    return false;
  }
}

Ledger::Ledger(Database& database) : impl_(std::make_unique<Impl>(database)) {}

Ledger::~Ledger() = default;

Task<Result<void>> Ledger::reserve(AccountId account, std::uint64_t bytes) {
  if (bytes > kLargestReservation) co_return fail_over_quota();
  if (impl_->take_leased(account, bytes)) co_return Result<void>{};
  Operation operation{
      .account = account, .reserved_delta = static_cast<long long>(bytes), .limited = bytes > 0};
  co_return may_repeat(co_await impl_->submit(std::move(operation)));
}

Task<Result<void>> Ledger::reserve_to_free(AccountId account) {
  if (impl_->take_leased(account, kFreeingBytes)) co_return Result<void>{};
  Operation operation{.account = account, .reserved_delta = static_cast<long long>(kFreeingBytes)};
  co_return may_repeat(co_await impl_->submit(std::move(operation)));
}

Task<Result<void>> Ledger::record(AccountId account, std::uint64_t reserved_bytes,
                                  std::int64_t used_delta) {
  if (reserved_bytes > kLargestReservation || std::cmp_greater(used_delta, reserved_bytes)) {
    throw std::logic_error("A record has more bytes than were reserved.");
  }
  if (reserved_bytes > 0) {
    impl_->leases->record(account, reserved_bytes, used_delta);
    impl_->flush_soon();
    impl_->tell_used(account, used_delta);
    co_return Result<void>{};
  }
  Operation operation{.account = account,
                      .reserved_delta = -static_cast<long long>(reserved_bytes),
                      .used_delta = used_delta,
                      .is_record = true};
  auto recorded = co_await impl_->submit(std::move(operation));
  impl_->tell_used(account, used_delta);
  co_return recorded;
}

void Ledger::on_used(std::function<void(AccountId)> listener) {
  impl_->on_used = std::move(listener);
}

namespace {

/// Of PostgreSQL. Who reads may ask again, whatever became of the changes that were written before.
Error of_reading(Error error) {
  const bool is_of_changes = error.code == ErrorCode::failed || error.code == ErrorCode::in_doubt;
  if (is_of_changes) error.code = ErrorCode::unready;
  return error;
}

}  // namespace

Task<Result<Usage>> Ledger::usage(AccountId account) {
  auto flushed = co_await impl_->flush(account);
  const bool is_full = !flushed && flushed.error().code == ErrorCode::disk_full;
  if (is_full && impl_->database.is_sqlite()) {
    // On the lane that writes the changes, so that none is counted twice.
    auto job = [&](sql::Connection& sql) {
      return read_usage(sql, account, impl_->leases->owed(account));
    };
    co_return co_await impl_->database.run(Lane::ordered, account, std::move(job));
  }
  if (!flushed && impl_->database.is_sqlite()) co_return failure_of(std::move(flushed));
  if (!flushed) co_return std::unexpected(of_reading(std::move(flushed).error()));
  auto job = [account](sql::Connection& sql) { return read_usage(sql, account, {account}); };
  co_return co_await impl_->database.run(Lane::read, account, std::move(job));
}

Task<Result<std::uint64_t>> Ledger::total_used_bytes() {
  auto job = [](sql::Connection& sql) -> Result<std::uint64_t> {
    // Records may overtake one another, so that it is negative for a moment.
    const auto bytes = sql.only<std::int64_t>(
        "SELECT CAST(COALESCE(SUM(used_bytes), 0) AS BIGINT) FROM quota_usage");
    return static_cast<std::uint64_t>(std::max<std::int64_t>(bytes, 0));
  };
  co_return co_await impl_->database.run(Lane::read, Turn::server(), std::move(job));
}

Task<Result<bool>> Ledger::correct(AccountId account, std::uint64_t used_bytes,
                                   std::int64_t version) {
  auto job = [=](LedgerUpdates& updates, sql::Connection& sql) -> Result<bool> {
    updates.reach(account);
    const std::string left = fmt::format(
        "(SELECT coalesce(sum(bytes), 0) FROM reservations WHERE account_id = $1 AND node = '{}')",
        kCrashed);
    const auto changed = sql.change(
        fmt::format(
            "UPDATE quota_usage SET used_bytes = $2, is_counted = 1, version = version + 1, "
            "reserved_bytes = reserved_bytes - {0} WHERE account_id = $1 AND version = $3 "
            "AND reserved_bytes = {1} + {0}",
            left, kHeldForUploads),
        account, used_bytes, version);
    if (changed > 0) {
      sql.run("DELETE FROM reservations WHERE account_id = $1 AND node = $2", account,
              std::string(kCrashed));
      return true;
    }
    if (!updates.account_exists(account)) return no_such_account();
    return false;
  };
  auto work = [&] { return impl_->in_transaction(job); };
  co_return co_await impl_->database.on_thread(Lane::ordered, account, std::move(work));
}

const std::string& Ledger::node() const {
  return impl_->node;
}

namespace {

bool is_taken(const Result<bool>& begun) {
  return !begun && begun.error().code == ErrorCode::exists;
}

}  // namespace

// Both notes are durable first: the ledger's own commits need no fsync, because the note of a run
// that did not end outlives a power failure and causes a recount.
Task<Result<bool>> Ledger::begin_run(std::string partial_tag, std::string home) {
  auto job = [&](sql::Connection& sql) -> Result<bool> {
    // Who changes rights from now on knows of this run, and waits for what it remembers.
    lock(sql, Generation::auth);
    lock(sql, Generation::mounts);
    bool is_unclean = false;
    if (impl_->database.is_shared()) {
      TRY(is_unclean, end_runs_of(sql, home));
    } else {
      is_unclean = end_all_runs(sql);
    }
    note_run(sql, {impl_->node, partial_tag, home});
    return is_unclean;
  };
  // PostgreSQL may take a moment to notice that a server was killed.
  auto work = [&] {
    auto begun = impl_->database.run_here(Lane::write, job);
    for (int i = 0; i < kBeginTries && is_taken(begun); ++i) {
      std::this_thread::sleep_for(kBeginPause);
      begun = impl_->database.run_here(Lane::write, job);
    }
    return begun;
  };
  auto begun = co_await impl_->database.on_thread(Lane::write, Turn::server(), std::move(work));
  if (!begun) co_return begun;
  auto guard = [this] {
    impl_->database.guard_writes();
    return 0;
  };
  co_await impl_->database.on_thread(Lane::write, Turn::server(), std::move(guard));
  co_return begun;
}

Task<Result<std::vector<AccountId>>> Ledger::uncounted() {
  auto job = [](sql::Connection& sql) -> Result<std::vector<AccountId>> {
    std::vector<AccountId> accounts;
    for (const sql::Row& row :
         sql.query("SELECT account_id FROM quota_usage WHERE is_counted = 0 ORDER BY account_id")) {
      accounts.push_back(row.get<AccountId>(0));
    }
    return accounts;
  };
  co_return co_await impl_->database.run(Lane::read, Turn::server(), std::move(job));
}

// An fsync of the log makes all earlier commits durable, the ledger's included.
Task<Result<void>> Ledger::end_run() {
  auto flushed = co_await impl_->flush(Turn::server());
  if (!flushed) co_return flushed;
  impl_->database.stop_guarding();
  auto job = [this](sql::Connection& sql) -> Result<void> {
    catalog::end_run(sql, impl_->node, RunEnd::clean);
    return {};
  };
  co_return co_await impl_->database.run(Lane::write, Turn::server(), std::move(job));
}

}  // namespace coffer::catalog
