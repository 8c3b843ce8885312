#pragma once

#include <span>
#include <string_view>

#include "base/error.h"

namespace coffer::sql {
class Connection;
}

namespace coffer::catalog {

/// A change of the schema: a numbered file of the folder migrations/. The build embeds these files.
struct Migration {
  int version = 0;
  /// Statements; each ends with a semicolon and a newline. One that begins, after an empty line,
  /// with the comment `-- On PostgreSQL:` is for PostgreSQL alone.
  std::string_view sql;
};

/// Returns all migrations, sorted by version. The first version is 1.
std::span<const Migration> migrations();

/// Returns true if at least one migration was run on the database. Changes nothing.
bool has_schema(sql::Connection& sql);

/// Returns true if all migrations were run on the database; `failed` if the database has one that
/// this program does not know. Changes nothing.
Result<bool> has_current_schema(sql::Connection& sql);

/// Runs the migrations that were not run on the database yet. Call it in a transaction that keeps
/// other callers out. `failed` if the database has a migration that this program does not know.
Result<void> migrate(sql::Connection& sql);

}  // namespace coffer::catalog
