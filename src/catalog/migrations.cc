#include "catalog/migrations.h"

#include <fmt/format.h>

#include "base/clock.h"
#include "sql/connection.h"

namespace coffer::catalog {
namespace {

/// Begins a statement that SQLite is spared.
constexpr std::string_view kOnlyOnPostgres = "\n-- On PostgreSQL:";

void run_statements(sql::Connection& sql, std::string_view text) {
  for (auto end = text.find(";\n"); end != text.npos; end = text.find(";\n")) {
    const auto statement = text.substr(0, end);
    if (!sql.is_sqlite() || !statement.starts_with(kOnlyOnPostgres)) sql.run_once(statement);
    text.remove_prefix(end + 2);
  }
}

/// 0 for an empty database.
long long version_of(sql::Connection& sql) {
  const auto tables = sql.only<int>(
      sql.is_sqlite() ? "SELECT count(*) FROM sqlite_master WHERE name = 'schema_migrations'"
                      : "SELECT count(to_regclass('schema_migrations'))");
  if (tables == 0) return 0;
  return sql.only<long long>("SELECT coalesce(max(version), 0) FROM schema_migrations");
}

}  // namespace

bool has_schema(sql::Connection& sql) {
  return version_of(sql) > 0;
}

Result<bool> has_current_schema(sql::Connection& sql) {
  const long long current = version_of(sql);
  const long long latest = migrations().back().version;
  if (current > latest) {
    return fail(ErrorCode::failed,
                fmt::format("The catalog has schema {}, which is newer than this program's {}.",
                            current, latest));
  }
  return current == latest;
}

Result<void> migrate(sql::Connection& sql) {
  TRY([[maybe_unused]] const bool is_current, has_current_schema(sql));
  sql.run_once(
      "CREATE TABLE IF NOT EXISTS schema_migrations "
      "(version BIGINT NOT NULL PRIMARY KEY, applied_at BIGINT NOT NULL)");
  sql.flush();
  const long long current = version_of(sql);
  for (const Migration& migration : migrations()) {
    if (migration.version <= current) continue;
    run_statements(sql, migration.sql);
    sql.run("INSERT INTO schema_migrations (version, applied_at) VALUES ($1, $2)",
            migration.version, now());
  }
  return {};
}

}  // namespace coffer::catalog
