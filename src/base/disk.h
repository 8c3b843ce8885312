#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>

#include "base/error.h"

namespace coffer {

/// Writes all of `data` to an open file at its current position (write(2)). Retries after
/// interruptions. `offset` is the current position; it only serves to align the writes, which makes
/// them faster. Returns 0, or the errno of the failure; it is then unknown how much was written.
int write_all(int descriptor, std::span<const std::byte> data, std::uint64_t offset = 0);

/// Syncs the names in a folder to the disk (fsync(2)). Without this, a crash of the machine can
/// lose a new name or bring a removed name back. Returns false, with errno set, on failure.
bool sync_folder(const std::filesystem::path& folder);

/// Syncs a new folder to the disk: first its inode, then its name. Some file systems write the
/// inode of a folder only on request. Returns false, with errno set, on failure.
bool sync_new_folder(const std::filesystem::path& folder);

/// Opens a folder for reading. If the path ends with a symbolic link, follows it only if root or
/// this process's user made it, as to put a folder of the data folder on another disk; `forbidden`
/// if another user did: it could lead to files of others. The caller closes the descriptor.
Result<int> open_trusted_folder(const std::filesystem::path& folder);

/// Creates a folder that no other user can read (mode 0700), and the missing folders above it.
/// Succeeds if the folder exists, also if another process creates it at the same time.
Result<void> make_folder(const std::filesystem::path& folder);

}  // namespace coffer
