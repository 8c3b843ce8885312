#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>

#include "base/error.h"

namespace coffer {

/// Writes all of `data` to an open file (write(2)), also past interruptions. The current `offset`
/// in the file, if it is given, makes it faster. Returns 0 or the errno of the failure, after which
/// an unknown part is written.
int write_all(int descriptor, std::span<const std::byte> data, std::uint64_t offset = 0);

/// Brings the current names of a folder to the disk (fsync(2)): without this a crash of the machine
/// can lose a new name or bring a removed one back. False with errno if it failed.
bool sync_folder(const std::filesystem::path& folder);

/// Brings a new folder to the disk: its own inode, which some file systems write only when asked,
/// and then its name. False with errno if it failed.
bool sync_new_folder(const std::filesystem::path& folder);

/// Makes a folder that no other user may read (0700), and the folders above it. Succeeds if the
/// folder is there, also if another process makes it at the same time.
Result<void> make_folder(const std::filesystem::path& folder);

}  // namespace coffer
