#pragma once

#include <filesystem>
#include <string>

#include "base/error.h"
#include "base/lock_file.h"

namespace coffer::app {

/// The lock that a server holds on its data folder while it runs, so that a second one does not
/// start on it; `exists`, naming the `holder`, if another has it.
Result<LockFile> lock_data_folder(const std::filesystem::path& data, const std::string& holder);

}  // namespace coffer::app
