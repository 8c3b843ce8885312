#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>

namespace coffer::local {

/// The name of the kernel's own file system that the folder is in, such as "proc"; empty for
/// folders on disks, networks and in memory, and for missing ones. The path must be absolute and
/// without links.
std::string_view kernel_folder_kind(const std::filesystem::path& folder);

/// True for file systems of which this machine's kernel keeps the times of change and notices all
/// changes: not for those of other machines and of programs (FUSE).
bool keeps_times(int folder);

/// The bytes that the folder's file system holds; nullopt if it does not tell.
std::optional<std::uint64_t> capacity_of(int folder);

}  // namespace coffer::local
