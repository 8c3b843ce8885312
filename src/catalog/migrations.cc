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

}  // namespace

Result<void> migrate(soci::session& sql) {
  sql << "CREATE TABLE IF NOT EXISTS schema_migrations "
         "(version BIGINT NOT NULL PRIMARY KEY, applied_at BIGINT NOT NULL)";
  long long current = 0;
  sql << "SELECT coalesce(max(version), 0) FROM schema_migrations", soci::into(current);
  const long long latest = migrations().back().version;
  if (current > latest) {
    return fail(ErrorCode::failed,
                fmt::format("The catalog has schema {}, which is newer than this program's {}.",
                            current, latest));
  }
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
