#pragma once

#include <span>
#include <string_view>

#include "base/error.h"

namespace soci {
class session;
}

namespace coffer::catalog {

/// A numbered file of migrations/, embedded by the build.
struct Migration {
  int version = 0;
  std::string_view sql;  ///< Statements, each ended by a semicolon at a line's end.
};

/// Returns all migrations by version, beginning with 1.
std::span<const Migration> migrations();

/// False for an empty database. Changes nothing.
bool has_schema(soci::session& sql);

/// True if the database has had all migrations; `failed` if it is newer than this program. Changes
/// nothing.
Result<bool> has_current_schema(soci::session& sql);

/// Runs the migrations that the database has not had. Call it in an exclusive transaction. `failed`
/// if the database is newer than this program.
Result<void> migrate(soci::session& sql);

}  // namespace coffer::catalog
