#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace coffer::local {

/// Returns the type of the kernel's pseudo file system that contains the open folder, such as
/// "proc". Returns an empty text if the folder is on an ordinary file system (on a disk, on a
/// network or in memory).
std::string_view kernel_folder_kind(int folder);

/// Returns true if the open folder is on a known local file system, on which the kernel sees every
/// change and updates change times (ctime). Returns false for others, such as NFS and FUSE.
bool keeps_times(int folder);

/// Returns false if the open folder is on a known local file system, on which an item has but one
/// name. On others, such as FAT, NTFS and SMB, it may be found under a short one too
/// (storage::is_short_hidden_name).
bool may_have_short_names(int folder);

/// Returns true unless the open folder is on a file system that makes up inode numbers and forgets
/// them (FUSE, FAT, exFAT), so that an item may get another number.
bool keeps_inode_numbers(int folder);

/// Returns true if another file system is mounted somewhere below the open folder, as
/// /proc/self/mounts tells (getmntent(3)).
bool has_mounts_below(int folder);

/// Returns the total size of the open folder's file system in bytes; nullopt if it reports none.
std::optional<std::uint64_t> capacity_of(int folder);

}  // namespace coffer::local
