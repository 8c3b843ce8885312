#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "base/error.h"

namespace coffer::app {

/// A file that is in a data folder while a restore fills it.
inline constexpr const char* kRestoreMark = "restore.unfinished";

/// `failed` if a restore to this data folder has not ended, or was cut off.
inline Result<void> check_restored(const std::filesystem::path& data) {
  std::error_code ignored;  // A folder that cannot be read is told of by whoever reads it.
  if (!std::filesystem::exists(data / kRestoreMark, ignored)) return {};
  return fail(ErrorCode::failed, fmt::format("A restore to the data folder {} did not end: empty "
                                             "the folder and restore again.",
                                             data.string()));
}

}  // namespace coffer::app
