#pragma once

#include <span>
#include <string_view>

#include "base/error.h"

namespace soci {
class session;
}

namespace coffer::catalog {

/// One numbered file of migrations/, as the build embedded it.
struct Migration {
  int version = 0;
  std::string_view sql;  ///< Statements, each ended by a semicolon at a line's end.
};

/// All of them, by version, beginning with 1.
std::span<const Migration> migrations();

/// False for an empty database. Changes nothing.
bool has_schema(soci::session& sql);

/// True if the database had all of them; `failed` if it had more than this program knows. Changes
/// nothing.
Result<bool> has_current_schema(soci::session& sql);

/// Runs those that the database has not had. Call it inside a transaction that no other process can
/// share. `failed` if the database had more than this program knows.
Result<void> migrate(soci::session& sql);

}  // namespace coffer::catalog
