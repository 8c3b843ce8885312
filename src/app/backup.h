#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "app/settings.h"
#include "base/error.h"

/// Backups of a data folder: the catalog on SQLite, own files that are plain files, the key file
/// and the settings file. Shared folders and mounted servers are elsewhere and not part of one.
namespace coffer::app {

/// What a backup has; `files` and `bytes` are those of its homes.
struct BackupSize {
  std::uint64_t accounts = 0;
  std::uint64_t files = 0;
  std::uint64_t bytes = 0;
  /// Of a backup just written: the keys, links and shares that are not in it, since their folder
  /// was moved meanwhile.
  std::optional<std::uint64_t> moved_scopes = {};
};

/// Writes a backup to a folder that is missing or empty, while a server may run on the data. Files
/// that were stored before are in it; those that are stored meanwhile are in it whole, or not. A
/// process of root becomes the owner of the data folder, who gets the new folder. What is written
/// is on the disk then. If it fails, what it wrote is no backup: it lacks the file backup.json.
/// Errors, with a message of one line:
/// - `invalid` if the catalog is on PostgreSQL, own files are objects, or the folder is in the
/// data, or the data in it;
/// - `exists` if the folder is not empty;
/// - `not_found` if there is no data; `disk_full`, `forbidden` or `failed` otherwise.
Result<BackupSize> back_up(const Settings& settings, const std::filesystem::path& folder);

/// Makes the data folder of the settings from a backup. It has to be missing or empty; `exists` if
/// it is not. Its owner gets all that is made; if root's process makes it, that is the owner of the
/// backup. `invalid` if the folder is no whole backup, has other files or accounts than its summary
/// says, is in the data folder or has it in it, or is one of a later program with another schema.
/// Takes over nothing but what `back_up` writes. Until all is on the disk, `check_restored` fails.
Result<BackupSize> restore(const Settings& settings, const std::filesystem::path& folder);

}  // namespace coffer::app
