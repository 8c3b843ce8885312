#include "catalog/runs.h"

#include <soci/soci.h>

#include <string_view>
#include <vector>

#include "base/clock.h"
#include "catalog/columns.h"
#include "catalog/row_limits.h"

namespace coffer::catalog {
namespace {

// Deletes the run first: on PostgreSQL this waits for a transaction of the node that is under way,
// and no other can begin (Database::guard_writes).
void drop(soci::session& sql, const std::string& node) {
  const long long ended_at = to_column(now());
  std::string tag;
  sql << "SELECT coalesce(max(partial_tag), '') FROM runs WHERE node = :node",
      soci::use(node, "node"), soci::into(tag);
  sql << "DELETE FROM runs WHERE node = :node", soci::use(node, "node");
  sql << "DELETE FROM reservations WHERE node = :node", soci::use(node, "node");
  if (tag.empty()) return;
  sql << "INSERT INTO ended_runs (partial_tag, ended_at) VALUES (:tag, :ended_at) "
         "ON CONFLICT (partial_tag) DO NOTHING",
      soci::use(tag, "tag"), soci::use(ended_at, "ended_at");
  drop_beyond(sql, "ended_runs", "partial_tag", "ended_at, partial_tag", kMostEndedRuns);
}

/// After the end of a run, counts the quota of its uploads for the uploads again.
void sum_reservations(soci::session& sql) {
  sql << "UPDATE uploads SET state = 'interrupted' WHERE state = 'finishing'";
  const std::string sum =
      "(SELECT coalesce(sum(r.bytes), 0) FROM reservations r WHERE r.account_id = "
      "quota_usage.account_id) + " +
      std::string(kHeldForUploads);
  sql << "UPDATE quota_usage SET version = version + 1, reserved_bytes = " << sum
      << " WHERE reserved_bytes <> " << sum;
}

}  // namespace

void note_run(soci::session& sql, const std::string& node, const std::string& partial_tag) {
  const long long started_at = to_column(now());
  sql << "DELETE FROM ended_runs WHERE partial_tag = :tag", soci::use(partial_tag, "tag");
  sql << "INSERT INTO runs (node, started_at, partial_tag) VALUES (:node, :started_at, :tag)",
      soci::use(node, "node"), soci::use(started_at, "started_at"), soci::use(partial_tag, "tag");
}

bool end_all_runs(soci::session& sql) {
  std::vector<std::string> nodes;
  {
    const soci::rowset<std::string> rows = (sql.prepare << "SELECT node FROM runs ORDER BY node");
    nodes.assign(rows.begin(), rows.end());
  }
  for (const std::string& node : nodes) drop(sql, node);
  sum_reservations(sql);
  return !nodes.empty();
}

void end_run(soci::session& sql, const std::string& node) {
  drop(sql, node);
  sum_reservations(sql);
}

bool has_ended(soci::session& sql, const std::string& partial_tag) {
  int count = 0;
  sql << "SELECT count(*) FROM ended_runs WHERE partial_tag = :tag", soci::use(partial_tag, "tag"),
      soci::into(count);
  return count > 0;
}

}  // namespace coffer::catalog
