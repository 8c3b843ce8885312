#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "backends/local/content_log.h"
#include "backends/local/volume.h"

namespace coffer::local {

/// What the log holds of a name that changes, and of what is beneath it.
struct LoggedPath {
  std::string path;
  ContentLog::LogPosition mark;
};

/// Ends the log's claims there; nothing if it holds nothing. To be called with `Volume::steps` held
/// alone, before the change.
std::optional<LoggedPath> release_logged(const Volume& volume, int folder, std::string_view name);

/// To be called once the change is on the disk. Blocks.
Result<void> drop_logged(const Volume& volume, const std::optional<LoggedPath>& place);

/// Brings what the log holds there to the disk. Blocks.
Result<void> write_out_logged(const Volume& volume, int folder, std::string_view name);

}  // namespace coffer::local
