#include "catalog/migrations.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string>

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

bool has_table(sql::Connection& sql, std::string_view name) {
  return sql.only<bool>(sql.is_sqlite() ? "SELECT count(*) FROM sqlite_master WHERE name = $1"
                                        : "SELECT count(to_regclass($1))",
                        name);
}

/// 0 for an empty database.
long long version_of(sql::Connection& sql) {
  if (!has_table(sql, "schema_migrations")) return 0;
  return sql.only<long long>("SELECT coalesce(max(version), 0) FROM schema_migrations");
}

// A program that knows none of the later migrations learns here whether it may use the schema.
constexpr std::string_view kLastBreaking = "last_breaking_migration";
constexpr std::string_view kFacts = "shared_facts";

/// The last breaking migration that was run; `current` if nobody noted it.
long long last_breaking(sql::Connection& sql, long long current) {
  if (!has_table(sql, kFacts)) return current;
  const auto noted =
      sql.value<std::string>("SELECT fact FROM shared_facts WHERE name = $1", kLastBreaking);
  long long version = current;
  if (noted) std::from_chars(noted->data(), noted->data() + noted->size(), version);
  return version;
}

void note_last_breaking(sql::Connection& sql, std::span<const Migration> known) {
  if (!has_table(sql, kFacts)) return;  // Added by a migration.
  const auto last = std::ranges::find_if_not(known.rbegin(), known.rend(), &Migration::is_adding);
  if (last == known.rend()) return;
  sql.run(
      "INSERT INTO shared_facts (name, fact) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET "
      "fact = excluded.fact",
      kLastBreaking, std::to_string(last->version));
}

}  // namespace

bool has_schema(sql::Connection& sql) {
  return version_of(sql) > 0;
}

Result<SchemaState> compare_schema(sql::Connection& sql, std::span<const Migration> known) {
  const long long current = version_of(sql);
  const long long latest = known.back().version;
  const bool is_newer = current > latest;
  if (is_newer && (sql.is_sqlite() || last_breaking(sql, current) > latest)) {
    return fail(ErrorCode::failed,
                fmt::format("The catalog has schema {}, which is newer than this program's {}.",
                            current, latest));
  }
  if (current >= latest) return SchemaState::current;
  const auto is_harmless = [current](const Migration& one) {
    return one.version <= current || one.is_adding();
  };
  const bool only_adds = current > 0 && std::ranges::all_of(known, is_harmless);
  return only_adds ? SchemaState::lacks : SchemaState::outdated;
}

Result<void> migrate(sql::Connection& sql, std::span<const Migration> known) {
  TRY([[maybe_unused]] const auto state, compare_schema(sql, known));
  sql.run_once(
      "CREATE TABLE IF NOT EXISTS schema_migrations "
      "(version BIGINT NOT NULL PRIMARY KEY, applied_at BIGINT NOT NULL)");
  sql.flush();
  const long long current = version_of(sql);
  if (current >= known.back().version) return {};  // Another program was faster.
  for (const Migration& migration : known) {
    if (migration.version <= current) continue;
    run_statements(sql, migration.sql);
    sql.run("INSERT INTO schema_migrations (version, applied_at) VALUES ($1, $2)",
            migration.version, now());
  }
  sql.flush();
  note_last_breaking(sql, known);
  return {};
}

}  // namespace coffer::catalog
