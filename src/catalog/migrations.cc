#include "catalog/migrations.h"

#include <fmt/format.h>
#include <soci/soci.h>

#include "base/clock.h"

namespace coffer::catalog {
namespace {

void run_statements(soci::session& sql, std::string_view text) {
  for (auto end = text.find(";\n"); end != text.npos; end = text.find(";\n")) {
    sql << std::string(text.substr(0, end));
    text.remove_prefix(end + 2);
  }
}

/// 0 for an empty database.
long long version_of(soci::session& sql) {
  const bool is_sqlite = sql.get_backend_name() == "sqlite3";
  int tables = 0;
  sql << (is_sqlite ? "SELECT count(*) FROM sqlite_master WHERE name = 'schema_migrations'"
                    : "SELECT count(to_regclass('schema_migrations'))"),
      soci::into(tables);
  long long version = 0;
  if (tables > 0) {
    sql << "SELECT coalesce(max(version), 0) FROM schema_migrations", soci::into(version);
  }
  return version;
}

}  // namespace

bool has_schema(soci::session& sql) {
  return version_of(sql) > 0;
}

Result<bool> has_current_schema(soci::session& sql) {
  const long long current = version_of(sql);
  const long long latest = migrations().back().version;
  if (current > latest) {
    return fail(ErrorCode::failed,
                fmt::format("The catalog has schema {}, which is newer than this program's {}.",
                            current, latest));
  }
  return current == latest;
}

Result<void> migrate(soci::session& sql) {
  TRY([[maybe_unused]] const bool is_current, has_current_schema(sql));
  sql << "CREATE TABLE IF NOT EXISTS schema_migrations "
         "(version BIGINT NOT NULL PRIMARY KEY, applied_at BIGINT NOT NULL)";
  const long long current = version_of(sql);
  for (const Migration& migration : migrations()) {
    if (migration.version <= current) continue;
    run_statements(sql, migration.sql);
    const long long version = migration.version;
    const long long applied_at = now().time_since_epoch().count();
    sql << "INSERT INTO schema_migrations (version, applied_at) VALUES (:version, :at)",
        soci::use(version, "version"), soci::use(applied_at, "at");
  }
  return {};
}

}  // namespace coffer::catalog
