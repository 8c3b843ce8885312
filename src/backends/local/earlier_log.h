#pragma once

#include <filesystem>

#include "base/error.h"

namespace coffer::local {

/// Reads the log of small contents that an earlier version left in `data`/content-log, and removes
/// it. That version answered an upload of small files when their contents were in the log, some
/// seconds before the files themselves were on the disk. Each file that a crash of the machine took
/// is written again. If that is not certain to be right (another folder stands in the place of its
/// own, another file has its name, its disk is not mounted or fails), its content is kept as
/// `data`/recovered/<number>/<name>, and a line of the program's log names both places.
///
/// Does nothing if there is no such log. `failed` or `disk_full` if a content can be stored in
/// neither place: the log stays, and the next start reads it again. Blocks. Nothing else may use
/// the data folder meanwhile.
Result<void> recover_earlier_log(const std::filesystem::path& data);

}  // namespace coffer::local
