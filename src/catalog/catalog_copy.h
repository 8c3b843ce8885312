#pragma once

#include <cstdint>
#include <filesystem>
#include <set>
#include <string>

#include "base/error.h"

/// Copies of a catalog on SQLite, for backups and for the time before a migration.
namespace coffer::catalog {

/// Returns the version of this program's schema, which a catalog has once it was opened.
int latest_schema();

/// Writes all of a catalog on SQLite, as it is in one moment, to a new file that only this user may
/// read. Others may use the catalog meanwhile. The file is on the disk then; if it fails, there is
/// none. Errors have a message of one line. Blocks.
Result<void> copy_catalog(const std::string& url, const std::filesystem::path& file);

/// Deletes from a copy of a catalog on SQLite the keys, links and shares whose folder the catalog
/// itself has elsewhere now, or not at all: another folder may have its name. Returns how many.
/// Blocks.
Result<std::uint64_t> end_moved_scopes(const std::filesystem::path& copy, const std::string& url);

/// Returns the ids of the items in the bins of all accounts' own files, in any state. Blocks.
Result<std::set<std::string>> own_bin_items(const std::string& url);

/// Returns how many accounts a catalog of any schema has, and leaves the schema as it is. `failed`
/// if it is no catalog. Blocks.
Result<std::uint64_t> count_accounts(const std::string& url);

/// Keeps a catalog as it is before its schema changes: as `catalog.schema-47.sqlite` beside it, in
/// the place of those of earlier changes. Does nothing for an empty database. Call it while nobody
/// changes the catalog. Blocks.
Result<void> keep_before_migration(const std::filesystem::path& catalog);

}  // namespace coffer::catalog
