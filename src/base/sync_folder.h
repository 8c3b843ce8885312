#pragma once

#include <filesystem>

namespace coffer {

/// Brings the names that a folder has now to the disk (fsync(2)): without this a crash of the
/// machine can take a new one, or bring a removed one back. False, and errno says why, if it
/// failed.
bool sync_folder(const std::filesystem::path& folder);

/// The same for a folder that was made just now: its own inode, without which the name leads to
/// nothing where a file system writes no more than it is asked for, and then its name.
bool sync_new_folder(const std::filesystem::path& folder);

}  // namespace coffer
