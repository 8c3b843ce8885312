#include "catalog/runs.h"

#include <fmt/format.h>

#include <charconv>
#include <string_view>
#include <utility>

#include "base/clock.h"
#include "catalog/row_limits.h"
#include "sql/connection.h"

namespace coffer::catalog {
namespace {

/// On PostgreSQL, waits for the transactions of the node that are under way. Those that begin later
/// find no run, and fail (see fence).
void wait_for_transactions(sql::Connection& sql, const std::string& node) {
  if (!sql.is_sqlite()) sql.run("SELECT pg_advisory_xact_lock($1)", lock_key(node));
}

/// Deletes the run, and notes its tag as that of an ended one.
void drop(sql::Connection& sql, const std::string& node) {
  const auto tag = sql.only<std::string>(
      "SELECT coalesce(max(partial_tag), '') FROM runs WHERE node = $1", node);
  sql.run("DELETE FROM runs WHERE node = $1", node);
  sql.run("DELETE FROM watched_folders WHERE run = $1", node);
  if (tag.empty()) return;
  sql.run(
      "INSERT INTO ended_runs (partial_tag, ended_at) VALUES ($1, $2) "
      "ON CONFLICT (partial_tag) DO NOTHING",
      tag, now());
  drop_beyond(sql, "ended_runs", "partial_tag", "ended_at, partial_tag", kMostEndedRuns);
}

/// Counts the quota of the uploads that no run publishes any more for the uploads again.
void interrupt_uploads(sql::Connection& sql) {
  sql.run("UPDATE uploads SET state = 'interrupted' WHERE state = 'finishing' AND " +
          std::string(kIsOfEndedRun));
}

/// Sums up what is reserved for each account. No other server may be running.
void sum_reservations(sql::Connection& sql) {
  const std::string sum =
      "(SELECT coalesce(sum(r.bytes), 0) FROM reservations r WHERE r.account_id = "
      "quota_usage.account_id) + " +
      std::string(kHeldForUploads);
  sql.run("UPDATE quota_usage SET version = version + 1, reserved_bytes = " + sum +
          " WHERE reserved_bytes <> " + sum);
}

/// The accounts for which the run has quota.
constexpr std::string_view kHasQuotaOf =
    "account_id IN (SELECT account_id FROM reservations WHERE node = $1 AND bytes <> 0 UNION "
    "SELECT quota_account_id FROM uploads WHERE state = 'finishing' AND run = $1)";

/// Reads nothing but rows of the run, so that what other runs do meanwhile is not undone.
void give_back_reservations(sql::Connection& sql, const std::string& node) {
  const std::string of_run(kHasQuotaOf);
  if (!sql.is_sqlite()) {
    // In the order in which all transactions lock accounts.
    (void)sql.query("SELECT 1 FROM quota_usage WHERE " + of_run + " ORDER BY account_id FOR UPDATE",
                    node);
  }
  sql.run(
      "UPDATE quota_usage SET version = version + 1, reserved_bytes = reserved_bytes - "
      "(SELECT coalesce(sum(r.bytes), 0) FROM reservations r WHERE r.account_id = "
      "quota_usage.account_id AND r.node = $1) + (SELECT coalesce(sum(u.quota_bytes), 0) FROM "
      "uploads u WHERE u.quota_account_id = quota_usage.account_id AND u.state = 'finishing' AND "
      "u.run = $1) WHERE " +
          of_run,
      node);
  sql.run("DELETE FROM reservations WHERE node = $1", node);
}

/// The same after a crash on PostgreSQL. What the run had reserved may be in use by now: it stays
/// reserved until the accounts are counted, or others would take it too (see Ledger::correct).
void leave_reservations(sql::Connection& sql, const std::string& node) {
  const std::string of_run(kHasQuotaOf);
  (void)sql.query("SELECT 1 FROM quota_usage WHERE " + of_run + " ORDER BY account_id FOR UPDATE",
                  node);
  sql.run("UPDATE quota_usage SET version = version + 1, is_counted = 0 WHERE " + of_run, node);
  // What is reserved for uploads that were being published is theirs again.
  sql.run(
      "UPDATE reservations SET bytes = bytes - (SELECT coalesce(sum(u.quota_bytes), 0) FROM "
      "uploads u WHERE u.quota_account_id = reservations.account_id AND u.state = 'finishing' AND "
      "u.run = $1) WHERE node = $1",
      node);
  sql.run(fmt::format("INSERT INTO reservations (account_id, node, bytes) SELECT account_id, '{}', "
                      "bytes FROM reservations WHERE node = $1 ON CONFLICT (account_id, node) DO "
                      "UPDATE SET bytes = reservations.bytes + excluded.bytes",
                      kCrashed),
          node);
  sql.run("DELETE FROM reservations WHERE node = $1", node);
}

/// True if the run's server holds the lock by which it lives. Otherwise nobody can take it until
/// the transaction ends.
bool lives(sql::Connection& sql, const std::string& node) {
  return !sql.only<bool>("SELECT CAST(pg_try_advisory_xact_lock($1) AS INTEGER)", life_key(node));
}

}  // namespace

std::int64_t lock_key(std::string_view node) {
  std::int64_t key = 0;
  const std::string_view digits = node.substr(0, 15);  // 60 bits.
  std::from_chars(digits.data(), digits.data() + digits.size(), key, 16);
  return key;
}

// No run's lock_key is negative.
std::int64_t life_key(std::string_view node) {
  return -lock_key(node) - 1;
}

void fence(sql::Connection& sql, const std::string& node) {
  sql.run("SELECT pg_advisory_xact_lock_shared($1)", lock_key(node));
  sql.run("SELECT 1 / count(*) FROM runs WHERE node = $1", node);
}

void note_run(sql::Connection& sql, const NewRun& run) {
  sql.run("DELETE FROM ended_runs WHERE partial_tag = $1", run.partial_tag);
  sql.run("INSERT INTO runs (node, started_at, partial_tag, home) VALUES ($1, $2, $3, $4)",
          run.node, now(), run.partial_tag, run.home);
}

bool end_all_runs(sql::Connection& sql) {
  const auto rows = sql.query("SELECT node FROM runs ORDER BY node");
  for (const sql::Row& row : rows) {
    wait_for_transactions(sql, row.get<std::string>(0));
    sql.run("DELETE FROM reservations WHERE node = $1", row.get<std::string>(0));
    drop(sql, row.get<std::string>(0));
  }
  // Those of commands, which have no runs, stay.
  sql.run("DELETE FROM reservations WHERE node = $1", std::string(kCrashed));
  interrupt_uploads(sql);
  sum_reservations(sql);
  if (!rows.empty()) sql.run("UPDATE quota_usage SET is_counted = 0");
  return !rows.empty();
}

void end_run(sql::Connection& sql, const std::string& node, RunEnd how) {
  wait_for_transactions(sql, node);
  if (how == RunEnd::crash && !sql.is_sqlite()) {
    leave_reservations(sql, node);
  } else {
    give_back_reservations(sql, node);
  }
  drop(sql, node);
  interrupt_uploads(sql);
}

bool end_dead_run(sql::Connection& sql, const std::string& node, std::int64_t beats) {
  if (lives(sql, node)) return false;
  const auto now_at = sql.value<std::int64_t>("SELECT beats FROM runs WHERE node = $1", node);
  if (now_at != beats) return false;
  end_run(sql, node, RunEnd::crash);
  return true;
}

Result<bool> end_runs_of(sql::Connection& sql, const std::string& home) {
  const auto rows =
      sql.query("SELECT node FROM runs WHERE home = $1 AND home <> '' ORDER BY node", home);
  for (const sql::Row& row : rows) {
    const auto node = row.get<std::string>(0);
    if (lives(sql, node)) {
      return fail(ErrorCode::exists,
                  "A server with a copy of this data folder runs: give each server a folder of its "
                  "own, or remove the file folder-id from this one.");
    }
    end_run(sql, node, RunEnd::crash);
  }
  return !rows.empty();
}

// Reads all ended runs, which are few (see kMostEndedRuns), so that any tags take one query.
std::set<std::string> ended_of(sql::Connection& sql, const std::set<std::string>& partial_tags) {
  std::set<std::string> ended;
  if (partial_tags.empty()) return ended;
  for (const sql::Row& row : sql.query("SELECT partial_tag FROM ended_runs")) {
    auto tag = row.get<std::string>(0);
    if (partial_tags.contains(tag)) ended.insert(std::move(tag));
  }
  return ended;
}

}  // namespace coffer::catalog
