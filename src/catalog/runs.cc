#include "catalog/runs.h"

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

void drop(sql::Connection& sql, const std::string& node) {
  wait_for_transactions(sql, node);
  const auto tag = sql.only<std::string>(
      "SELECT coalesce(max(partial_tag), '') FROM runs WHERE node = $1", node);
  sql.run("DELETE FROM runs WHERE node = $1", node);
  sql.run("DELETE FROM reservations WHERE node = $1", node);
  if (tag.empty()) return;
  sql.run(
      "INSERT INTO ended_runs (partial_tag, ended_at) VALUES ($1, $2) "
      "ON CONFLICT (partial_tag) DO NOTHING",
      tag, now());
  drop_beyond(sql, "ended_runs", "partial_tag", "ended_at, partial_tag", kMostEndedRuns);
}

/// After the end of a run, counts the quota of its uploads for the uploads again.
void sum_reservations(sql::Connection& sql) {
  sql.run("UPDATE uploads SET state = 'interrupted' WHERE state = 'finishing'");
  const std::string sum =
      "(SELECT coalesce(sum(r.bytes), 0) FROM reservations r WHERE r.account_id = "
      "quota_usage.account_id) + " +
      std::string(kHeldForUploads);
  sql.run("UPDATE quota_usage SET version = version + 1, reserved_bytes = " + sum +
          " WHERE reserved_bytes <> " + sum);
}

}  // namespace

std::int64_t lock_key(std::string_view node) {
  std::int64_t key = 0;
  const std::string_view digits = node.substr(0, 15);  // 60 bits.
  std::from_chars(digits.data(), digits.data() + digits.size(), key, 16);
  return key;
}

void fence(sql::Connection& sql, const std::string& node) {
  sql.run("SELECT pg_advisory_xact_lock_shared($1)", lock_key(node));
  sql.run("SELECT 1 / count(*) FROM runs WHERE node = $1", node);
}

void note_run(sql::Connection& sql, const std::string& node, const std::string& partial_tag) {
  sql.run("DELETE FROM ended_runs WHERE partial_tag = $1", partial_tag);
  sql.run("INSERT INTO runs (node, started_at, partial_tag) VALUES ($1, $2, $3)", node, now(),
          partial_tag);
}

bool end_all_runs(sql::Connection& sql) {
  const auto rows = sql.query("SELECT node FROM runs ORDER BY node");
  for (const sql::Row& row : rows) drop(sql, row.get<std::string>(0));
  sum_reservations(sql);
  return !rows.empty();
}

void end_run(sql::Connection& sql, const std::string& node) {
  drop(sql, node);
  sum_reservations(sql);
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
