#include "catalog/tree_changes.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "catalog/object_nodes.h"

namespace coffer::catalog {
namespace {

/// The locks of all connections have one table.
constexpr std::size_t kMostPathLocks = 64;

}  // namespace

void lock_tree(sql::Connection& sql, storage::NameTreeId tree, TreeLock lock,
               std::vector<Path> paths) {
  if (sql.is_sqlite()) return;
  const std::string name = fmt::format("coffer tree {}", tree.value);
  // Work on a large tree may take seconds. With that of the statements behind it, the wait stays
  // below the limit of a call, beyond which the database would be taken for one that is away.
  sql.run("SET LOCAL lock_timeout = 1500");
  if (lock == TreeLock::alone || paths.size() > kMostPathLocks) {
    sql.run("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", name);
    return;
  }
  sql.run("SELECT pg_advisory_xact_lock_shared(hashtextextended($1, 0))", name);
  std::ranges::sort(paths);
  for (const Path& path : paths) {
    sql.run("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", name + '/' + path.str());
  }
}

/// Takes them in order of their ids, like all that lock these rows. An update of a row that is
/// being released waits, and then inserts it anew.
void loosen(sql::Connection& sql, std::string_view query, sql::Value argument) {
  sql.run_values(
      fmt::format("INSERT INTO loose (content) SELECT DISTINCT content FROM ({}) AS gone "
                  "WHERE content IS NOT NULL ORDER BY content "
                  "ON CONFLICT (content) DO UPDATE SET content = excluded.content",
                  query),
      {std::move(argument)});
}

void loosen(sql::Connection& sql, const std::vector<std::int64_t>& contents) {
  if (contents.empty()) return;
  loosen(sql, "SELECT id AS content FROM contents WHERE " + is_in(sql, "id", ListOf::numbers, 1),
         list_argument(sql, contents));
}

}  // namespace coffer::catalog
