#pragma once

#include <memory>
#include <string_view>

#include "backends/local/content_log.h"
#include "backends/local/volume.h"

namespace coffer::local {

/// A change of a name, as the log knows it; null where nothing there can be in the log.
using LoggedChange = std::unique_ptr<ContentLog::Change>;

/// To be called before the change; see ContentLog::begin_change.
LoggedChange begin_logged(const Volume& volume, int folder, std::string_view name);

/// True if the change is that of this name, or of none because nothing there can be in the log.
bool is_change_of(const LoggedChange& change, int folder, std::string_view name);

/// To be called once the change is on the disk. Blocks.
Result<void> drop_logged(const Volume& volume, const LoggedChange& change);

/// Brings what the log holds there to the disk. Blocks.
Result<void> write_out_logged(const Volume& volume, int folder, std::string_view name);

}  // namespace coffer::local
