#pragma once

#include <filesystem>
#include <string_view>

namespace coffer::local {

/// The kind of file system in which the kernel shows itself, and stores nothing, such as "proc";
/// empty for the folders of disks, networks and memory, and for those that are not there. The path
/// is whole and without links.
std::string_view kernel_folder_kind(const std::filesystem::path& folder);

}  // namespace coffer::local
