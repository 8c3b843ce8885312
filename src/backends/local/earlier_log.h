#pragma once

#include <filesystem>

#include "base/error.h"

namespace coffer::local {

/// Restores files from the log `data`/content-log that an earlier version of Coffer left, then
/// removes the log. Does nothing if there is no log. That version confirmed an upload of small
/// files as soon as their contents were in the log, some seconds before the files were on the disk.
///
/// A file that was lost in a crash of the machine is written again. If that is not safe, its
/// content is saved as `data`/recovered/<number>/<name> instead, and a warning in the program's log
/// names both paths. Writing the file again is not safe if:
/// - the file's folder was replaced by another folder,
/// - another file has the file's name,
/// - the file's disk is not mounted or fails.
///
/// A log file in an unknown format is saved as `data`/recovered/<its name>, and a warning is
/// logged.
///
/// Fails (errno_error) if the log cannot be read, or if a file's content cannot be saved anywhere.
/// The log then stays for the next start. Blocks. No other process may use the data folder.
Result<void> recover_earlier_log(const std::filesystem::path& data);

}  // namespace coffer::local
