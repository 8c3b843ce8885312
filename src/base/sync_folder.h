#pragma once

#include <filesystem>

namespace coffer {

/// Brings the names that a folder has now to the disk (fsync(2)): without this a crash of the
/// machine can take a new one, or bring a removed one back. False, and errno says why, if it
/// failed.
bool sync_folder(const std::filesystem::path& folder);

}  // namespace coffer
