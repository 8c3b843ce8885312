#include "catalog/runs.h"

#include <soci/soci.h>

#include <string_view>
#include <vector>

#include "base/clock.h"
#include "catalog/rows.h"

namespace coffer::catalog {
namespace {

// The run goes first: on PostgreSQL that waits for a transaction of the node which is still under
// way, and no other can begin (Database::guard_writes).
void drop(soci::session& sql, const std::string& node) {
  sql << "DELETE FROM runs WHERE node = :node", soci::use(node, "node");
  sql << "DELETE FROM reservations WHERE node = :node", soci::use(node, "node");
}

void sum_reservations(soci::session& sql) {
  constexpr std::string_view kSum =
      "(SELECT coalesce(sum(r.bytes), 0) FROM reservations r WHERE r.account_id = "
      "quota_usage.account_id)";
  sql << "UPDATE quota_usage SET version = version + 1, reserved_bytes = " << kSum
      << " WHERE reserved_bytes <> " << kSum;
}

}  // namespace

void note_run(soci::session& sql, const std::string& node) {
  const long long started_at = to_column(now());
  sql << "INSERT INTO runs (node, started_at) VALUES (:node, :started_at)", soci::use(node, "node"),
      soci::use(started_at, "started_at");
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

}  // namespace coffer::catalog
