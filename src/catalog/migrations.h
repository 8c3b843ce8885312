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
  ///
  /// The first line is `-- Kind: adding` if earlier programs work on as before with the changed
  /// schema: it makes tables and indexes, and adds columns that have a default, which such programs
  /// need not know. Any other migration is breaking (`-- Kind: breaking`): it is made while no
  /// server runs, and earlier programs refuse the schema afterwards.
  std::string_view sql;

  bool is_adding() const { return sql.starts_with("-- Kind: adding\n"); }
};

/// Returns all migrations, sorted by version. The first version is 1.
std::span<const Migration> migrations();

/// How a database's schema stands to a program.
enum class SchemaState {
  current,   ///< The program can work with it: it is the program's own, or a later one that only
             ///< adds to it.
  lacks,     ///< It lacks migrations, all of them adding.
  outdated,  ///< It lacks migrations, some of which are breaking, or is empty.
};

/// Compares the schema with that of a program whose migrations are `known`. Changes nothing.
/// `failed` if this program cannot work with the schema, since it is that of a later program and
/// has breaking migrations; on SQLite, if it is that of a later program.
Result<SchemaState> compare_schema(sql::Connection& sql, std::span<const Migration> known);

/// Returns true if at least one migration was run on the database. Changes nothing.
bool has_schema(sql::Connection& sql);

/// Runs those of `known` that were not run on the database yet. Call it in a transaction that keeps
/// other callers out. Fails as `compare_schema` does.
Result<void> migrate(sql::Connection& sql, std::span<const Migration> known);

}  // namespace coffer::catalog
